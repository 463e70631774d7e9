import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { AccountsError } from './accounts-error.ts';
import { COLUMN_TYPES, type Engine } from './engine.ts';
import type { Migration } from './migration.ts';
import { createAccountTables } from './migrations/accounts-and-credits.ts';
import { createKeyTable } from './migrations/keys.ts';
import { leaseEndsWithoutIndex } from './migrations/leases-without-end-index.ts';
import { createListTables } from './migrations/lists.ts';
import { sealSecrets } from './migrations/sealed-secrets.ts';
import { lockOpening } from './opening-lock.ts';
import type { AccountsSchema } from './schema.ts';
import { adoptKey } from './secrets.ts';
import type { SecretsKeyPlace } from './secrets-key.ts';

/** In order; a migration that has shipped is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  createKeyTable,
  createAccountTables,
  createListTables,
  sealSecrets,
  leaseEndsWithoutIndex,
];

export interface MigrationSurroundings {
  readonly clock: Clock;
  /** Needed by databases of before version 4 that have secrets. */
  readonly key?: SecretsKeyPlace | undefined;
  /** Hears of a key that others could read. */
  readonly log?: Logger;
  readonly migrations?: readonly Migration[];
}

/**
 * Brings the database from whatever version it is of to the newest, in one
 * transaction: it is there whole or not at all, and of several processes that
 * start at once one does it while the others wait. Throws AccountsError
 * `accounts_newer` for a database that is ahead of `migrations`, and what {@link adoptKey} says where secrets have to be sealed.
 */
export async function migrateAccounts(
  db: Kysely<AccountsSchema>,
  engine: Engine,
  { clock, key, log, migrations = MIGRATIONS }: MigrationSurroundings,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockOpening(transaction, engine);
    await transaction.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('applied_at', COLUMN_TYPES[engine].integer, (column) => column.notNull())
      .execute();
    const newest = transaction.selectFrom('migrations').select((eb) => eb.fn.max('version').as('version'));
    const version = (await newest.executeTakeFirst())?.version ?? 0;
    if (version > migrations.length) throw newer(version, migrations.length);
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      await migration(transaction, engine, clock, async () => (await adoptKey(transaction, key, log)).box);
      await transaction
        .insertInto('migrations')
        .values({ version: index + 1, applied_at: clock.now() })
        .execute();
    }
  });
}

function newer(version: number, known: number): AccountsError {
  return new AccountsError(
    'accounts_newer',
    `the accounts database is of version ${version}, and this mintscope knows ${known}: start the newer one that has made it`,
  );
}
