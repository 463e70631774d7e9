import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import type { AccountsDatabase } from './accounts-db.ts';
import type { AccountsErrorCode } from './accounts-error.ts';
import type { AccountsSchema } from './schema.ts';
import { TABLES } from './tables.ts';

type Kind<Value> = [Exclude<Value, null>] extends [number]
  ? 'integer'
  : [Exclude<Value, null>] extends [string]
    ? 'text'
    : 'bytes';
type Selected<Value> = Value extends { readonly __select__: infer Read } ? Read : Value;
type Column<Value> = null extends Selected<Value> ? `${Kind<Selected<Value>>}?` : Kind<Selected<Value>>;

/** What the schema's types say, so that the compiler holds this list against them and the tests hold it against the engines. */
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
    token: 'text',
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

/** What is unique, `of some` rows or of all, and what is found without reading a whole table. */
const INDEXES = [
  'accounts once of some plan',
  'accounts once wallet',
  'accounts reset_at',
  'api_keys account_id',
  'api_keys once hash',
  'audit account_id,id',
  'changes at',
  'leases expires_at',
  'leases pool_id',
  'ledger once pool_id,kind,reference',
  'nonces expires_at',
  'nonces once nonce',
  'pools once key_id',
  'pools once of some account_id',
  'retired_keys key_id,retired_at',
  'retired_keys once hash',
  'sessions account_id',
  'sessions expires_at',
  'sessions once hash',
  'settings once name',
  'streams account_id,id',
  'streams once token',
  'trials network,at',
  'usage hour',
  'usage once account_id,hour,key_id,route',
  'wallet_favorites once owner,wallet',
  'wallet_group_members once owner,group_id,wallet',
  'wallet_groups once owner,id',
];

/** What the engines call the three kinds of values. */
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

const POOL = { account_id: 1, key_id: null, balance: 10, capacity: 10, leased: 0 };
const ENTRY = { pool_id: 1, account_id: 1, kind: 'grant', amount: 1, at: 0, reference: 'r' } as const;
const ACCOUNT = { wallet: 'W', state: 'active', plan: 'trial', created_at: 0, reset_at: null } as const;
const KEY = {
  account_id: 1,
  name: 'k',
  hash: Buffer.alloc(32, 7),
  prefix: 'p',
  state: 'active',
  created_at: 0,
} as const;
const STREAM = {
  account_id: 1,
  owner: 'W',
  token: 'stream-token-that-nobody-may-read',
  name: 's',
  active: 1,
  kinds: '[]',
  wallet_list_id: '',
  dev_list_id: '',
  wallets: '[]',
  devs: '[]',
  min_sol: '0',
  created_at: 0,
  updated_at: 0,
};

describe.each(ENGINES)('the accounts database on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let db: TestAccounts['db'];
  beforeAll(async () => {
    accounts = await open();
    db = accounts.db;
  });
  afterAll(() => accounts.close());

  it('has the tables and columns of its types', async () => {
    expect(await columnsOf(accounts)).toEqual(COLUMNS);
  });

  it('has these indexes', async () => {
    expect(await indexesOf(accounts)).toEqual(INDEXES);
  });

  const refused = async (code: AccountsErrorCode, statement: Promise<unknown>) => {
    const error: unknown = await statement.then(
      () => 'was taken',
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'AccountsError', code });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(STREAM.token);
  };

  it('lets no balance below zero and no more be leased than there is', async () => {
    const pools = (values: Partial<typeof POOL>) =>
      db
        .insertInto('pools')
        .values({ ...POOL, account_id: 77, ...values })
        .execute();
    await refused('accounts_refused', pools({ balance: -1, leased: -1 }));
    await refused('accounts_refused', pools({ leased: 11 }));
    await refused('accounts_refused', pools({ leased: -1 }));
    await pools({ leased: 10 });
    const held = db.updateTable('pools').where('account_id', '=', 77);
    await refused('accounts_refused', held.set({ balance: 9 }).execute());
    await refused('accounts_refused', held.set((row) => ({ balance: row('balance', '-', 11) })).execute());
    const lease = { id: 'l', pool_id: 1, holder: 'h', remaining: -1, expires_at: 0 };
    await refused('accounts_refused', db.insertInto('leases').values(lease).execute());
  });

  it('keeps once what there is one of', async () => {
    const twice = async (insert: () => Promise<unknown>) => {
      await insert();
      await refused('accounts_conflict', insert());
    };
    await twice(() => db.insertInto('pools').values(POOL).execute());
    await twice(() =>
      db
        .insertInto('pools')
        .values({ ...POOL, account_id: 2, key_id: 5 })
        .execute(),
    );
    await db
      .insertInto('pools')
      .values({ ...POOL, key_id: 6 })
      .execute();
    await twice(() => db.insertInto('ledger').values(ENTRY).execute());
    await db
      .insertInto('ledger')
      .values({ ...ENTRY, pool_id: 2 })
      .execute();
    await twice(() => db.insertInto('accounts').values(ACCOUNT).execute());
    await twice(() =>
      db
        .insertInto('accounts')
        .values({ ...ACCOUNT, wallet: null, plan: 'operator' })
        .execute(),
    );
    await twice(() => db.insertInto('api_keys').values(KEY).execute());
    await twice(() => db.insertInto('streams').values(STREAM).execute());
  });

  it('keeps no key without an account', async () => {
    const orphan = { ...KEY, account_id: null as unknown as number, hash: Buffer.alloc(32, 8) };
    await refused('accounts_refused', db.insertInto('api_keys').values(orphan).execute());
  });

  it('gives numbers for times and sums, bytes for bytes, and takes back a transaction whole', async () => {
    const at = 1_790_000_000_123;
    await db
      .insertInto('ledger')
      .values([1, 2].map((n) => ({ ...ENTRY, pool_id: 9, amount: at, at, reference: `${n}` })))
      .execute();
    const sums = await db
      .selectFrom('ledger')
      .select((eb) => [eb.fn.sum('amount').as('sum'), eb.fn.max('at').as('max'), eb.fn.countAll().as('rows')])
      .where('pool_id', '=', 9)
      .executeTakeFirst();
    expect(sums).toEqual({ sum: 2 * at, max: at, rows: 2 });
    const hash = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 8));
    await db.insertInto('sessions').values({ hash, account_id: 1, created_at: at, expires_at: at }).execute();
    expect(await db.selectFrom('sessions').selectAll().where('hash', '=', hash).execute()).toEqual([
      { hash, account_id: 1, created_at: at, expires_at: at },
    ]);
    const broken = db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('sessions').execute();
      await transaction.insertInto('api_keys').values(KEY).execute();
    });
    await refused('accounts_conflict', broken);
    expect(await db.selectFrom('sessions').select('account_id').execute()).toEqual([{ account_id: 1 }]);
  });
});
