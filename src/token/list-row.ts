import type { Address } from '../chain/address.ts';
import type { TokenListRow } from '../contract/token.ts';
import type { Written } from '../contract/written.ts';
import type { ListedToken } from './listed-reads.ts';
import { quoteDecimalsOf } from './quote-decimals.ts';
import { quoteUnit } from './row-json.ts';
import { quoteOf, type TokenState, tokenFields } from './state.ts';

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
export function listRow(token: ListedToken, now: number, solUsd: number | undefined): Written<TokenListRow> {
  const state: TokenState = { mint: token.mint, ...token.facts };
  const quote = quoteOf(state);
  const since = hourStart(now);
  let volume = 0n;
  let trades = 0;
  for (const minute of token.minutes) {
    if (minute.start < since) continue;
    trades += minute.trades;
    if (minute.quote_mint === quote) volume += minute.volume;
  }
  const { quote_symbol, quote_decimals } = quoteUnit(quote, quoteDecimalsOf(state, quote));
  return {
    ...tokenFields(state, solUsd),
    vol_1h: String(volume),
    vol_1h_symbol: quote_symbol,
    vol_1h_decimals: quote_decimals,
    trades_1h: trades,
    change_1h: changePercent(state, priceBefore(token, quote, since)),
    traders: token.traders,
  };
}

/** The last price before a minute, raw quote over raw token. */
function priceBefore(token: ListedToken, quote: Address | '', since: number): number | undefined {
  const minute = token.minutes.findLast(
    ({ start, quote_mint, close }) => start < since && quote_mint === quote && close > 0,
  );
  return minute?.close ?? token.earlier.find(({ quote_mint }) => quote_mint === quote)?.price;
}

/** Percent with two decimals; undefined without an earlier price. */
function changePercent({ lastPriced }: TokenState, before: number | undefined): number | undefined {
  if (lastPriced === undefined || before === undefined || before === 0 || lastPriced.price_token === 0n)
    return undefined;
  const price = Number(lastPriced.price_quote) / Number(lastPriced.price_token);
  return Math.round((price / before - 1) * 10_000) / 100;
}
