import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Engine } from './engine.ts';
import type { Migration } from './migration.ts';
import { createAccountTables } from './migrations/accounts-and-credits.ts';
import { createKeyTable } from './migrations/keys.ts';
import { createListTables } from './migrations/lists.ts';
import type { AccountsSchema } from './schema.ts';

/** In order; a migration that has shipped is never edited. */
const MIGRATIONS: readonly Migration[] = [createKeyTable, createAccountTables, createListTables];

/** Brings the database to the newest version. A migration and its mark are one transaction, so of several processes one applies it. */
export async function migrateAccounts(db: Kysely<AccountsSchema>, engine: Engine, clock: Clock): Promise<void> {
  const integer = sql.raw(engine === 'sqlite' ? 'INTEGER' : 'BIGINT');
  await sql`CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied_at ${integer} NOT NULL)`.execute(
    db,
  );
  for (const [index, migration] of MIGRATIONS.entries()) {
    const version = index + 1;
    await db.transaction().execute(async (transaction) => {
      const marked = await transaction
        .insertInto('migrations')
        .values({ version, applied_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (marked.numInsertedOrUpdatedRows === 1n) await migration(transaction, engine, clock);
    });
  }
}
