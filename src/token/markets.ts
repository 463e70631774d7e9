import { comparePlaces } from '../books/place.ts';
import { AMM } from '../facts/venue.ts';
import { quoteMint } from '../programs/registry/index.ts';
import type { SwapRow } from '../store/clickhouse/schema/tables.ts';
import type { MarketRow, PriceHigh } from './facts.ts';
import { MAX_MARKETS } from './market-reads.ts';
import { knownQuoteDecimals } from './row-json.ts';

/** To tell which of two markets is deeper, one SOL counts for so many dollars. Nothing is valued by it. */
const ORDERING_SOL_USD = 100n;
/** Whole quote units are compared with so many digits behind the point. */
const DEPTH_DIGITS = 18;
/** About what a market takes in memory: a whole swap, when the feed brought it. */
const MARKET_BYTES = 1_500;

/** The highest price in each quote after later swaps; of equal prices the earliest counts. */
export function foldHighs(known: readonly PriceHigh[], swaps: readonly SwapRow[]): readonly PriceHigh[] {
  let highs: PriceHigh[] | undefined;
  for (const swap of swaps) {
    if (!swap.priced || swap.price <= 0) continue;
    const now: readonly PriceHigh[] = highs ?? known;
    const at = now.findIndex(({ quote_mint }) => quote_mint === swap.quote_mint);
    const high = now[at];
    if (high !== undefined && !isHigher(swap, high)) continue;
    highs ??= [...known];
    if (at < 0) highs.push(swap);
    else highs[at] = swap;
  }
  return highs ?? known;
}

/** The rollup may be ahead of the feed: a swap it has told of already is its own high. */
function isHigher(swap: SwapRow, high: PriceHigh): boolean {
  return swap.price > high.price || (swap.price === high.price && comparePlaces(swap, high) < 0);
}

/** The markets after later swaps, the one that traded last first. */
export function foldMarkets(known: readonly MarketRow[], swaps: readonly SwapRow[]): readonly MarketRow[] {
  if (swaps.length === 0) return known;
  const newest = new Map(known.map((market) => [marketKey(market), market]));
  for (const swap of swaps) {
    const market = newest.get(marketKey(swap));
    if (market === undefined || comparePlaces(swap, market) > 0) newest.set(marketKey(swap), swap);
  }
  return [...newest.values()].sort((a, b) => comparePlaces(b, a)).slice(0, MAX_MARKETS);
}

/** About what the markets of a token hold in memory, beyond what every token does. */
export function marketBytes({ markets }: { readonly markets?: readonly MarketRow[] | undefined }): number {
  return (markets?.length ?? 0) * MARKET_BYTES;
}

function marketKey({ venue, pool, quote_mint }: MarketRow): string {
  return `${venue} ${pool} ${quote_mint}`;
}

/** The deepest pool by its quote reserves: what prices a token that has neither a curve nor a canonical pool. */
export function deepestPool(markets: readonly MarketRow[]): MarketRow | undefined {
  const pools = markets.filter((market) => market.venue === AMM && market.reserves_known && market.price_token > 0n);
  return pools.toSorted(compareDepth)[0];
}

/** Columns that tell a market's depth. */
export type DepthColumns = Pick<MarketRow, 'pool' | 'quote_mint' | 'quote_decimals' | 'real_quote_reserves'>;

/** Negative when `a` is deeper: SOL and dollars, which compare, before every other quote. */
export function compareDepth(a: DepthColumns, b: DepthColumns): number {
  const [one, other] = [depthOf(a), depthOf(b)];
  if (one.isMoney !== other.isMoney) return one.isMoney ? -1 : 1;
  if (one.amount !== other.amount) return one.amount > other.amount ? -1 : 1;
  return a.pool < b.pool ? -1 : 1;
}

interface Depth {
  readonly isMoney: boolean;
  /** Whole quote units, with {@link DEPTH_DIGITS}. */
  readonly amount: bigint;
}

/** Raw units alone say nothing of how much lies in a pool: behind the empty ones. */
const UNTOLD: Depth = { isMoney: false, amount: -1n };

function depthOf(market: DepthColumns): Depth {
  const decimals = knownQuoteDecimals(market);
  if (decimals === undefined) return UNTOLD;
  const amount = market.real_quote_reserves * 10n ** BigInt(Math.max(0, DEPTH_DIGITS - decimals));
  if (market.quote_mint === '') return { isMoney: true, amount: amount * ORDERING_SOL_USD };
  return { isMoney: quoteMint(market.quote_mint)?.class === 'usd', amount };
}
