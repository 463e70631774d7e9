import type { Insertable } from 'kysely';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import type { AccountsSchema } from '../../src/store/accounts-db/schema.ts';
import { TABLES } from '../../src/store/accounts-db/tables.ts';

type Db = AccountsDatabase['db'];
type Rows = { readonly [T in keyof AccountsSchema]?: readonly Insertable<AccountsSchema[T]>[] };

/** The id of a stream that was made last and deleted. */
export const SPENT_STREAM = 3;
/** More than a copy reads at once, so that pages meet. */
const MANY = 2_345;
const AT = 1_790_000_000_000;
const bytes = (seed: number) => Buffer.from(Array.from({ length: 32 }, (_, i) => (seed * (i + 3)) % 256));
const many = <R>(make: (n: number) => R) => Array.from({ length: MANY }, (_, n) => make(n));

/** Puts rows into every table: pages of them with keys of one and of several columns, nulls, bytes, letters of all kinds. */
export async function filledAccounts(db: Db): Promise<void> {
  for (const [name, rows] of Object.entries(filling()) as [keyof AccountsSchema, readonly never[]][]) {
    for (let from = 0; from < rows.length; from += 500) {
      await db
        .insertInto(name)
        .values(rows.slice(from, from + 500))
        .execute();
    }
  }
  await db.deleteFrom('streams').where('id', '=', SPENT_STREAM).execute();
}

function filling(): Rows {
  const account = { state: 'active', plan: 'trial', created_at: AT, reset_at: null } as const;
  const key = { prefix: 'ms_live_aaaa', state: 'active', created_at: AT, name: 'Schlüssel “1” 🔑' } as const;
  const entry = { account_id: 1, kind: 'grant', at: AT } as const;
  const lists = { created_at: AT, updated_at: AT };
  return {
    accounts: [
      { ...account, wallet: null, plan: 'operator' },
      ...many((n) => ({ ...account, wallet: `wallet${n}`, reset_at: AT + n, anchor_at: AT })),
    ],
    api_keys: many((n) => ({
      ...key,
      account_id: n + 1,
      hash: Buffer.concat([bytes(n).subarray(4), int(n)]),
      budget: n % 2 ? n : null,
    })),
    retired_keys: [{ hash: bytes(3), key_id: 1, retired_at: AT }],
    pools: [
      { account_id: 1, key_id: null, balance: 1_000_000, capacity: 2_000_000, leased: 777 },
      { account_id: 1, key_id: 1, balance: 5, capacity: 5, leased: 5 },
    ],
    leases: [{ id: 'lease', pool_id: 1, holder: 'process', remaining: 777, expires_at: AT }],
    meters: [{ id: 'process', batch: 4, seen_at: AT }],
    ledger: [
      ...many((n) => ({ ...entry, pool_id: 1, amount: 400, reference: `${n}` })),
      { ...entry, pool_id: 1, amount: 1_000_000 - 400 * MANY, reference: 'rest' },
      { ...entry, pool_id: 2, kind: 'budget', amount: 5, reference: 'budget' },
    ],
    usage: many((n) => ({ account_id: n % 7, key_id: n % 5, route: `GET /${n}`, hour: AT, calls: n, credits: 2 * n })),
    trials: [{ account_id: 2, network: '2001:db8:1::/48', at: AT }],
    nonces: [{ nonce: 'nonce', wallet: 'w', expires_at: AT }],
    sessions: [{ hash: bytes(9), account_id: 1, created_at: AT, expires_at: AT }],
    wallet_groups: [{ ...lists, owner: 'o', id: 'g', name: "Robert'); DROP TABLE accounts;--" }],
    wallet_group_members: many((n) => ({
      owner: `o${n % 3}`,
      group_id: `g${n % 11}`,
      wallet: `W${n}`,
      note: n % 2 ? 'é' : null,
      added_at: AT,
    })),
    wallet_favorites: many((n) => ({ owner: 'o', wallet: `${n % 2 ? 'A' : 'a'}${n}`, alias: null, added_at: AT })),
    streams: Array.from({ length: SPENT_STREAM }, (_, n) => ({
      ...lists,
      account_id: 1,
      owner: 'o',
      token_sealed: bytes(n + 20),
      token_code: bytes(n + 30),
      name: 's',
      active: 1,
      kinds: '["swaps"]',
      wallet_list_id: 'g',
      dev_list_id: '',
      wallets: '["w"]',
      devs: '[]',
      min_sol: '18446744073709551615',
    })),
    changes: [{ at: AT, kind: 'account', account_id: 1, key_id: null, stream_id: null }],
    audit: [{ at: AT, actor: 'operator', action: 'account.create', account_id: 1, key_id: null, details: '{}' }],
    settings: [{ name: 'secret', value: 'value' }],
  };
}

function int(n: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(n);
  return out;
}

/** Every row of every table, in the order of its key. */
export async function rowsOf(db: Db): Promise<Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>> {
  const rows: Record<string, readonly Readonly<Record<string, unknown>>[]> = {};
  for (const [name, { key }] of Object.entries(TABLES) as [keyof AccountsSchema, { key: readonly string[] }][]) {
    const found: Readonly<Record<string, unknown>>[] = await db.selectFrom(name).selectAll().execute();
    const orderOf = (row: Readonly<Record<string, unknown>>) => key.map((column) => sortable(row[column])).join(' ');
    rows[name] = found.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  }
  return rows;
}

function sortable(value: unknown): string {
  if (typeof value === 'number') return String(value).padStart(16, '0');
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value);
}
