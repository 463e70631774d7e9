import type { Address } from '../chain/address.ts';
import type { ListedToken } from '../queries/market-reads.ts';
import { quoteOf, type TokenState, tokenFields } from './token-state.ts';

/** The hour of a list row: the running minute and the 59 before it. */
const HOUR_MINUTES = 60;
const MINUTE_S = 60;

/** Start of the hour that a list at `now` tells of, Unix seconds. */
export function hourStart(now: number): number {
  return now - (now % MINUTE_S) - (HOUR_MINUTES - 1) * MINUTE_S;
}

/**
 * A row of the token list: the snapshot's fields and the last hour. Volume and
 * change are in the token's own quote; swaps count in any.
 */
export function listRowJson(token: ListedToken): string {
  const state: TokenState = { mint: token.mint, ...token.facts };
  const quote = quoteOf(state);
  const volume = token.hour.find(({ quote_mint }) => quote_mint === quote)?.volume ?? 0n;
  const trades = token.hour.reduce((sum, each) => sum + each.trades, 0);
  const change = changePercent(state, quote, token);
  return (
    `{${tokenFields(state)},"vol_1h":"${volume}","trades_1h":${trades}` +
    (change === undefined ? '' : `,"change_1h":${change}`) +
    `,"traders":${token.traders}}`
  );
}

/** Percent with two decimals since before the hour; undefined without a price from then. */
function changePercent({ lastPriced }: TokenState, quote: Address | '', token: ListedToken): number | undefined {
  const before = token.earlier.find(({ quote_mint }) => quote_mint === quote)?.price;
  if (lastPriced === undefined || before === undefined || before === 0 || lastPriced.price_token === 0n)
    return undefined;
  const price = Number(lastPriced.price_quote) / Number(lastPriced.price_token);
  return Math.round((price / before - 1) * 10_000) / 100;
}
