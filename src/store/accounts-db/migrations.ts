import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsSchema } from './schema.ts';

/** In order; a migration that has shipped is never edited. */
const MIGRATIONS: readonly ((db: Kysely<AccountsSchema>) => Promise<void>)[] = [
  async (db) => {
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'blob', (column) => column.notNull().unique())
      .addColumn('prefix', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute();
  },
];

/** Brings the database to the newest version. A migration and its mark are one transaction. */
export async function migrateAccounts(db: Kysely<AccountsSchema>, clock: Clock): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL)`.execute(
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
      if (marked.numInsertedOrUpdatedRows === 1n) await migration(transaction);
    });
  }
}
