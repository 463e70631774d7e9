import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import type { AccountsDatabase } from './accounts-db.ts';
import type { AccountsSchema } from './schema.ts';
import { TABLES } from './tables.ts';

type Kind<Value> = [Exclude<Value, null>] extends [number]
  ? 'integer'
  : [Exclude<Value, null>] extends [string]
    ? 'text'
    : 'bytes';
type Selected<Value> = Value extends { readonly __select__: infer Read } ? Read : Value;
type Column<Value> = null extends Selected<Value> ? `${Kind<Selected<Value>>}?` : Kind<Selected<Value>>;

/**
 * Columns as the schema's types declare them: the compiler holds this list against the types, and the tests hold it
 * against the engines.
 */
const COLUMNS: {
  readonly [T in keyof AccountsSchema]: { readonly [C in keyof AccountsSchema[T]]: Column<AccountsSchema[T][C]> };
} = {
  accounts: {
    id: 'integer',
    wallet: 'text?',
    state: 'text',
    plan: 'text',
    created_at: 'integer',
    reset_at: 'integer?',
    anchor_at: 'integer?',
  },
  api_keys: {
    id: 'integer',
    account_id: 'integer',
    name: 'text',
    hash: 'bytes',
    prefix: 'text',
    state: 'text',
    created_at: 'integer',
    last_used_at: 'integer?',
    budget: 'integer?',
    rps: 'integer?',
    burst: 'integer?',
    suspended_by: 'text?',
  },
  retired_keys: { hash: 'bytes', key_id: 'integer', retired_at: 'integer' },
  pools: {
    id: 'integer',
    account_id: 'integer',
    key_id: 'integer?',
    balance: 'integer',
    capacity: 'integer',
    leased: 'integer',
  },
  leases: { id: 'text', pool_id: 'integer', holder: 'text', remaining: 'integer', expires_at: 'integer' },
  meters: { id: 'text', batch: 'integer', seen_at: 'integer' },
  ledger: {
    id: 'integer',
    pool_id: 'integer',
    account_id: 'integer',
    kind: 'text',
    amount: 'integer',
    at: 'integer',
    reference: 'text',
  },
  usage: {
    account_id: 'integer',
    key_id: 'integer',
    route: 'text',
    hour: 'integer',
    calls: 'integer',
    credits: 'integer',
  },
  trials: { account_id: 'integer', network: 'text', at: 'integer' },
  nonces: { nonce: 'text', wallet: 'text', expires_at: 'integer' },
  sessions: { hash: 'bytes', account_id: 'integer', created_at: 'integer', expires_at: 'integer' },
  wallet_groups: { owner: 'text', id: 'text', name: 'text', created_at: 'integer', updated_at: 'integer' },
  wallet_group_members: { owner: 'text', group_id: 'text', wallet: 'text', note: 'text?', added_at: 'integer' },
  wallet_favorites: { owner: 'text', wallet: 'text', alias: 'text?', added_at: 'integer' },
  streams: {
    id: 'integer',
    account_id: 'integer',
    owner: 'text',
    token_sealed: 'bytes',
    token_code: 'bytes',
    name: 'text',
    active: 'integer',
    kinds: 'text',
    wallet_list_id: 'text',
    dev_list_id: 'text',
    wallets: 'text',
    devs: 'text',
    min_sol: 'text',
    created_at: 'integer',
    updated_at: 'integer',
  },
  changes: {
    id: 'integer',
    at: 'integer',
    kind: 'text',
    account_id: 'integer',
    key_id: 'integer?',
    stream_id: 'integer?',
  },
  audit: {
    id: 'integer',
    at: 'integer',
    actor: 'text',
    action: 'text',
    account_id: 'integer',
    key_id: 'integer?',
    details: 'text',
  },
  settings: { name: 'text', value: 'text' },
  migrations: { version: 'integer', applied_at: 'integer' },
};

/** Columns that are unique, `of some` rows or of all, and columns that are found without reading a whole table. */
const INDEXES = [
  'accounts once of some plan',
  'accounts once wallet',
  'accounts reset_at',
  'api_keys account_id',
  'api_keys once hash',
  'audit account_id,id',
  'changes at',
  'leases pool_id',
  'ledger once pool_id,kind,reference',
  'nonces expires_at',
  'nonces once nonce',
  'pools account_id',
  'pools once key_id',
  'pools once of some account_id',
  'retired_keys key_id,retired_at',
  'retired_keys once hash',
  'sessions account_id',
  'sessions expires_at',
  'sessions once hash',
  'settings once name',
  'streams account_id,id',
  'streams once token_code',
  'trials network,at',
  'usage hour',
  'usage once account_id,hour,key_id,route',
  'wallet_favorites once owner,wallet',
  'wallet_group_members once owner,group_id,wallet',
  'wallet_groups once owner,id',
];

/** Names that the engines have for the three kinds of values. */
const KINDS: Readonly<Record<string, string>> = {
  integer: 'integer',
  int4: 'integer',
  int8: 'integer',
  text: 'text',
  blob: 'bytes',
  bytea: 'bytes',
};

/** Tables with their columns as the engine has them. */
async function columnsOf({ db, engine }: AccountsDatabase): Promise<Record<string, Record<string, string>>> {
  const schema =
    engine === 'sqlite'
      ? undefined
      : (await sql<{ name: string }>`SELECT current_schema() AS name`.execute(db)).rows[0]?.name;
  const tables = await db.introspection.getTables();
  const own = tables.filter((table) => table.schema === schema);
  return Object.fromEntries(
    own.map(({ name, columns }) => [
      name,
      Object.fromEntries(
        // SQLite does not say of a key that it is never null.
        columns.map(({ name: column, dataType, isNullable }) => {
          const isKey = (TABLES[name as keyof AccountsSchema].key as readonly string[]).includes(column);
          return [column, `${KINDS[dataType.toLowerCase()]}${isNullable && !isKey ? '?' : ''}`];
        }),
      ),
    ]),
  );
}

/** Indexes besides the keys of one number, which need none in SQLite. */
async function indexesOf({ db, engine }: AccountsDatabase): Promise<string[]> {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{ entry: string }>`
          SELECT m.name || CASE i."unique" WHEN 1 THEN ' once ' ELSE ' ' END || CASE i.partial WHEN 1 THEN 'of some ' ELSE '' END
            || (SELECT group_concat(c.name, ',') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno) c) AS entry
          FROM sqlite_master m, pragma_index_list(m.name) i
          WHERE m.type = 'table'`.execute(db)
      : await sql<{ entry: string }>`
          SELECT t.relname || CASE WHEN i.indisunique THEN ' once ' ELSE ' ' END || CASE WHEN i.indpred IS NULL THEN '' ELSE 'of some ' END
            || (SELECT string_agg(a.attname, ',' ORDER BY k.place) FROM unnest(i.indkey) WITH ORDINALITY k(attnum, place)
                JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum) AS entry
          FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
          WHERE t.relnamespace = current_schema()::regnamespace`.execute(db);
  return rows
    .map(({ entry }) => entry)
    .filter((entry) => !/ once (id|version|account_id)$/.test(entry))
    .sort();
}

describe.each(ENGINES)('tables on $engine', ({ open }) => {
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await open();
  });
  afterAll(() => accounts.close());

  it('are those of the types, column by column', async () => {
    expect(await columnsOf(accounts)).toEqual(COLUMNS);
  });

  it('have these indexes', async () => {
    expect(await indexesOf(accounts)).toEqual(INDEXES);
  });
});
