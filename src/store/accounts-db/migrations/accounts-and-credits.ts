import { type Kysely, sql } from 'kysely';
import { countFrom, lastId } from '../counters.ts';
import { COLUMN_TYPES, type Engine } from '../engine.ts';
import type { Migration } from '../migration.ts';
import type { AccountsSchema } from '../schema.ts';

/** Accounts, their keys, pools of credits and what moves them, sessions. Keys that are there already become the operator's. */
export const createAccountTables: Migration = async (db, engine, clock) => {
  await createAccounts(db, engine);
  await adoptKeys(db, engine, clock.now());
  await createCredits(db, engine);
  await createSessions(db, engine);
  await createRecords(db, engine);
};

async function createAccounts(db: Kysely<AccountsSchema>, engine: Engine): Promise<void> {
  const { integer, bytes, counting } = COLUMN_TYPES[engine];
  await db.schema
    .createTable('accounts')
    .addColumn('id', integer, counting)
    .addColumn('wallet', 'text', (column) => column.unique())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('reset_at', integer)
    .addColumn('anchor_at', integer)
    .execute();
  await db.schema.createIndex('accounts_by_reset').on('accounts').column('reset_at').execute();
  // There is one account of whoever runs the service.
  await db.schema
    .createIndex('accounts_operator')
    .unique()
    .on('accounts')
    .column('plan')
    .where(sql<boolean>`wallet IS NULL AND plan = 'operator'`)
    .execute();
  await db.schema
    .createTable('retired_keys')
    .addColumn('hash', bytes, (column) => column.primaryKey())
    .addColumn('key_id', integer, (column) => column.notNull())
    .addColumn('retired_at', integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('retired_keys_by_key').on('retired_keys').columns(['key_id', 'retired_at']).execute();
}

/** Builds the keys anew, each with its account. Those of before there were accounts become the operator's. */
async function adoptKeys(db: Kysely<AccountsSchema>, engine: Engine, now: number): Promise<void> {
  const { integer, bytes, counting } = COLUMN_TYPES[engine];
  const last = await lastId(db, engine, 'api_keys');
  await db.schema.alterTable('api_keys').renameTo('keys_without_account').execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', integer, counting)
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', bytes, (column) => column.notNull())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('last_used_at', integer)
    .addColumn('budget', integer)
    .addColumn('rps', integer)
    .addColumn('burst', integer)
    .addColumn('suspended_by', 'text')
    .addUniqueConstraint('api_keys_hash', ['hash'])
    .execute();
  await db.schema.createIndex('api_keys_by_account').on('api_keys').column('account_id').execute();
  const adopted = await sql`SELECT id FROM keys_without_account LIMIT 1`.execute(db);
  if (adopted.rows.length > 0) {
    const operator = { wallet: null, state: 'active' as const, plan: 'operator', created_at: now, reset_at: null };
    const { id } = await db.insertInto('accounts').values(operator).returning('id').executeTakeFirstOrThrow();
    await sql`
      INSERT INTO api_keys (id, account_id, name, hash, prefix, state, created_at)
      SELECT id, ${sql.lit(id)}, name, hash, prefix, state, created_at FROM keys_without_account`.execute(db);
  }
  await db.schema.dropTable('keys_without_account').execute();
  await countFrom(db, engine, { table: 'api_keys', last });
}

async function createCredits(db: Kysely<AccountsSchema>, engine: Engine): Promise<void> {
  const { integer, counting } = COLUMN_TYPES[engine];
  await db.schema
    .createTable('pools')
    .addColumn('id', integer, counting)
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('key_id', integer, (column) => column.unique())
    .addColumn('balance', integer, (column) => column.notNull().check(sql`balance >= 0`))
    .addColumn('capacity', integer, (column) => column.notNull())
    .addColumn('leased', integer, (column) => column.notNull())
    .addCheckConstraint('pools_leased_of_balance', sql`leased >= 0 AND leased <= balance`)
    .execute();
  // One general pool an account: a unique column would let any number of nulls in.
  await db.schema
    .createIndex('pools_general')
    .unique()
    .on('pools')
    .column('account_id')
    .where(sql.ref('key_id'), 'is', null)
    .execute();
  await db.schema.createIndex('pools_by_account').on('pools').column('account_id').execute();
  await db.schema
    .createTable('leases')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('pool_id', integer, (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('remaining', integer, (column) => column.notNull().check(sql`remaining >= 0`))
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('leases_by_pool').on('leases').column('pool_id').execute();
  await db.schema.createIndex('leases_by_end').on('leases').column('expires_at').execute();
  await db.schema
    .createTable('meters')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('batch', integer, (column) => column.notNull())
    .addColumn('seen_at', integer, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('ledger')
    .addColumn('id', integer, counting)
    .addColumn('pool_id', integer, (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('amount', integer, (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addUniqueConstraint('ledger_once', ['pool_id', 'kind', 'reference'])
    .execute();
  await db.schema
    .createTable('usage')
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('key_id', integer, (column) => column.notNull())
    .addColumn('route', 'text', (column) => column.notNull())
    .addColumn('hour', integer, (column) => column.notNull())
    .addColumn('calls', integer, (column) => column.notNull())
    .addColumn('credits', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_key', ['account_id', 'hour', 'key_id', 'route'])
    .execute();
  await db.schema.createIndex('usage_by_hour').on('usage').column('hour').execute();
  await db.schema
    .createTable('trials')
    .addColumn('account_id', integer, (column) => column.primaryKey())
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('trials_by_network').on('trials').columns(['network', 'at']).execute();
}

async function createSessions(db: Kysely<AccountsSchema>, engine: Engine): Promise<void> {
  const { integer, bytes } = COLUMN_TYPES[engine];
  await db.schema
    .createTable('nonces')
    .addColumn('nonce', 'text', (column) => column.primaryKey())
    .addColumn('wallet', 'text', (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('nonces_by_end').on('nonces').column('expires_at').execute();
  await db.schema
    .createTable('sessions')
    .addColumn('hash', bytes, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_by_account').on('sessions').column('account_id').execute();
  await db.schema.createIndex('sessions_by_end').on('sessions').column('expires_at').execute();
}

async function createRecords(db: Kysely<AccountsSchema>, engine: Engine): Promise<void> {
  const { integer, counting } = COLUMN_TYPES[engine];
  await db.schema
    .createTable('changes')
    .addColumn('id', integer, counting)
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('key_id', integer)
    .addColumn('stream_id', integer)
    .execute();
  await db.schema.createIndex('changes_by_time').on('changes').column('at').execute();
  await db.schema
    .createTable('audit')
    .addColumn('id', integer, counting)
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('key_id', integer)
    .addColumn('details', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('audit_by_account').on('audit').columns(['account_id', 'id']).execute();
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}
