import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import { QUOTE_MINTS } from '../programs/registry/index.ts';
import { readRows, type StoreClient } from '../store/clickhouse/client.ts';
import { UNKNOWN_DECIMALS } from '../store/clickhouse/schema/codes.ts';
import { defineRowQuery } from '../store/query.ts';

/** The pass that goes through everything reads a column of all swaps. */
const MAX_SECONDS = 60;

// Zeros are nobody that a node could tell of: they are read as none, and left out.
const page = { after: Type.Integer(), now: Type.Integer(), limit: Type.Integer() };

const tokens = defineRowQuery({
  sql: new URL('./tokens-wanted.sql', import.meta.url),
  params: Type.Object({ ...page, unknown_decimals: Type.Integer(), listed: Type.Array(Type.String()) }),
  layout: { name: 'tokens_wanted', columns: { mint: 'address' } },
  maxSeconds: MAX_SECONDS,
});

const pools = defineRowQuery({
  sql: new URL('./pools-wanted.sql', import.meta.url),
  params: Type.Object(page),
  layout: { name: 'pools_wanted', columns: { pool: 'address' } },
  maxSeconds: MAX_SECONDS,
});

export interface Page {
  /** First slot whose trades are looked at. */
  readonly after: number;
  /** Unix seconds. */
  readonly now: number;
  readonly limit: number;
}

/** Quotes that a list names. */
const LISTED = QUOTE_MINTS.map(({ mint }) => mint);

/** Mints that traded, of which the store has no creation, and quotes without decimals or that no list names. */
export async function findTokensWanted(client: StoreClient, of: Page): Promise<Address[]> {
  const rows = await tokens(client, { ...of, unknown_decimals: UNKNOWN_DECIMALS, listed: LISTED });
  return rows.flatMap(({ mint }) => (mint === '' ? [] : [mint]));
}

/** Pools that traded, whose making the store does not have. */
export async function findPoolsWanted(client: StoreClient, of: Page): Promise<Address[]> {
  return (await pools(client, { ...of })).flatMap(({ pool }) => (pool === '' ? [] : [pool]));
}

const wallets = defineRowQuery({
  sql: new URL('./wallets-wanted.sql', import.meta.url),
  params: Type.Object(page),
  layout: { name: 'wallets_wanted', columns: { wallet: 'address' } },
  maxSeconds: MAX_SECONDS,
});

/** Wallets that launched or traded, of which the store does not know who made them. */
export async function findWalletsWanted(client: StoreClient, of: Page): Promise<Address[]> {
  return (await wallets(client, { ...of })).flatMap(({ wallet }) => (wallet === '' ? [] : [wallet]));
}

const quotedIn = defineRowQuery({
  sql: new URL('./tokens-quoted-in.sql', import.meta.url),
  params: Type.Object({ quotes: Type.Array(Type.String()) }),
  layout: { name: 'tokens_quoted_in', columns: { mint: 'address' } },
});

/** Mints that are priced in one of the quotes. */
export async function findTokensQuotedIn(client: StoreClient, quotes: readonly Address[]): Promise<Address[]> {
  const rows = await quotedIn(client, { quotes: [...quotes] });
  return rows.flatMap(({ mint }) => (mint === '' ? [] : [mint]));
}

const NEWEST = { name: 'newest', columns: { slot: 'u32' } } as const;

/** Newest slot that is whole, 0 while there is none. */
export async function readNewestSlot(client: StoreClient): Promise<number> {
  const [row] = await readRows(client, NEWEST, 'SELECT max(last_slot) AS slot FROM coverage');
  return row?.slot ?? 0;
}
