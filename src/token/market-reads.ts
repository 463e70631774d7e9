import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { RowOf } from '../store/clickhouse/schema/table-layout.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../store/query.ts';
import type { MarketRow, PriceHigh } from './facts.ts';
import { withLearntDecimals } from './hydrated-reads.ts';
import { placeOf } from './packed-place.ts';

/** Of a token without a market that prices it, so many are looked at, those that traded last. */
export const MAX_MARKETS = 50;
/** Pages of the token list are no longer. */
const MAX_MINTS = 501;
/** A token is priced in a few quotes at most: its curve's, or an equity's stablecoins. */
export const MAX_QUOTES = 20;

/** Newest swap of a market, and what it left there. */
export const MARKET_COLUMNS = {
  mint: 'account',
  pool: 'address',
  venue: 'u8',
  quote_mint: 'address',
  at: 'u64',
  time: 'u32',
  price_quote: 'u64',
  price_token: 'u64',
  virtual_quote_reserves: 'u64',
  virtual_token_reserves: 'u64',
  real_quote_reserves: 'u64',
  real_token_reserves: 'u64',
  reserves_known: 'bool',
  fee_in_token: 'bool',
  quote_decimals: 'u8',
  token_decimals: 'u8',
} as const;

const HIGH_COLUMNS = {
  mint: 'account',
  quote_mint: 'address',
  price: 'f64',
  at: 'u64',
  time: 'u32',
  price_quote: 'u64',
  price_token: 'u64',
  quote_decimals: 'u8',
  token_decimals: 'u8',
} as const;

const mints = Type.Array(Type.String());

const highs = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./token-highs.sql', import.meta.url),
  params: Type.Object({ mints, limit: Type.Integer() }),
  maxRows: MAX_MINTS * MAX_QUOTES,
  layout: { name: 'token_highs', columns: HIGH_COLUMNS },
});

const markets = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./token-markets.sql', import.meta.url),
  params: Type.Object({ mints, limit: Type.Integer() }),
  maxRows: MAX_MINTS * MAX_MARKETS,
  layout: { name: 'token_markets', columns: MARKET_COLUMNS },
});

/** The highest price of some mints in each quote that priced them. */
export async function readHighs(
  client: StoreClient,
  ofMints: readonly Address[],
): Promise<ReadonlyMap<Address | '', PriceHigh[]>> {
  const rows = await highs(client, { mints: [...ofMints], limit: MAX_QUOTES });
  return byMint(await withLearntDecimals(client, rows, ({ mint }) => mint));
}

/** The markets of some mints, those that traded last first. */
export async function readMarkets(
  client: StoreClient,
  ofMints: readonly Address[],
  limit = MAX_MARKETS,
): Promise<ReadonlyMap<Address | '', MarketRow[]>> {
  if (ofMints.length === 0) return new Map();
  const rows = await markets(client, { mints: [...ofMints], limit });
  return byMint(await withLearntDecimals(client, rows, ({ mint }) => mint));
}

type Placed<R extends { readonly at: bigint }> = Omit<R, 'at'> & ReturnType<typeof placeOf>;

function byMint<R extends RowOf<{ name: string; columns: { mint: 'account'; at: 'u64' } }>>(
  rows: readonly R[],
): ReadonlyMap<Address | '', Placed<R>[]> {
  const groups = new Map<Address | '', Placed<R>[]>();
  for (const { at, ...row } of rows) {
    const placed = { ...row, ...placeOf(at) } as Placed<R>;
    const group = groups.get(row.mint);
    if (group === undefined) groups.set(row.mint, [placed]);
    else group.push(placed);
  }
  return groups;
}
