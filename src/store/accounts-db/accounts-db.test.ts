import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import type { AccountsErrorCode } from './accounts-error.ts';

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
const UNREAD = 'stream-token-that-nobody-may-read';
const STREAM = {
  account_id: 1,
  owner: 'W',
  token_sealed: Buffer.from(UNREAD),
  token_code: Buffer.from(UNREAD),
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

  const refused = async (code: AccountsErrorCode, statement: Promise<unknown>) => {
    const error: unknown = await statement.then(
      () => 'was taken',
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'AccountsError', code });
    const shown = inspect(error, { depth: 9, showHidden: true });
    expect(shown).not.toContain(UNREAD);
    expect(shown.replaceAll(' ', '')).not.toContain(STREAM.token_code.toString('hex'));
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

  it('commits nothing of a transaction in which a statement failed, also when nobody heard of it', async () => {
    const swallowing = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('settings').values({ name: 'half', value: '' }).execute();
      await transaction
        .insertInto('settings')
        .values({ name: 'half', value: '' })
        .execute()
        .catch(() => undefined);
    });
    await refused('accounts_refused', swallowing);
    expect(await db.selectFrom('settings').selectAll().execute()).toEqual([]);
    await db.insertInto('settings').values({ name: 'whole', value: '' }).execute();
    expect(await db.selectFrom('settings').select('name').execute()).toEqual([{ name: 'whole' }]);
  });
});
