import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { AccountsSchema } from '../../src/store/accounts-db/schema.ts';

/** Rows of accounts, as they are at one moment, by table. */
export type AccountRows = ReadonlyMap<string, readonly Row[]>;

type Row = Readonly<Record<string, unknown>>;

/**
 * Columns that calls change by themselves, whoever makes them: last use of a key, end of a session, credits in hand.
 */
const MOVING: Readonly<Partial<Record<keyof AccountsSchema, readonly string[]>>> = {
  api_keys: ['last_used_at'],
  sessions: ['expires_at'],
  pools: ['balance', 'leased', 'epoch', 'capacity'],
};
/** Everything that belongs to somebody. Not: leases, usage and debits of calls, nonces that anybody may ask for. */
const TABLES = [
  'accounts',
  'api_keys',
  'pools',
  'ledger',
  'trials',
  'sessions',
  'wallet_groups',
  'wallet_group_members',
  'wallet_favorites',
  'streams',
  'changes',
  'audit',
  'settings',
] as const satisfies readonly (keyof AccountsSchema)[];

/** Accounts and wallets whose rows are left out, because they may act. */
export interface Actors {
  readonly accountIds: ReadonlySet<number>;
  readonly wallets: ReadonlySet<string>;
}

/** Reads all rows but those of the actors, without what moves by itself. */
export async function readAccountRows(db: Kysely<AccountsSchema>, actors: Actors): Promise<AccountRows> {
  const tables = new Map<string, readonly Row[]>();
  for (const table of TABLES) {
    const rows: readonly Row[] = await db.selectFrom(table).selectAll().execute();
    const kept = rows.filter((row) => !isOf(row, table, actors) && row.kind !== 'calls');
    tables.set(table, kept.map((row) => still(row, MOVING[table] ?? [])).sort(byText));
  }
  return tables;
}

/** The first row that is there on one side only; undefined when there is none. */
export function rowsDifference(before: AccountRows, after: AccountRows): string | undefined {
  for (const [table, rows] of before) {
    const now = after.get(table) ?? [];
    if (isDeepStrictEqual(rows, now)) continue;
    const texts = new Set(rows.map(toText));
    const come = now.find((row) => !texts.has(toText(row)));
    const kept = new Set(now.map(toText));
    const gone = rows.find((row) => !kept.has(toText(row)));
    return `${table} changed: gone ${toText(gone)}, come ${toText(come)}`;
  }
  return undefined;
}

function isOf(row: Row, table: string, { accountIds, wallets }: Actors): boolean {
  const account = table === 'accounts' ? row.id : row.account_id;
  if (typeof account === 'number') return accountIds.has(account);
  return typeof row.owner === 'string' && wallets.has(row.owner);
}

function still(row: Row, moving: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !moving.includes(column)));
}

function byText(one: Row, other: Row): number {
  const [a, b] = [toText(one), toText(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function toText(row: Row | undefined): string {
  return JSON.stringify(row, (_key, value: unknown) => (value instanceof Uint8Array ? 'bytes' : value)) ?? 'none';
}
