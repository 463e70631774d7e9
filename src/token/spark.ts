import { SPARK_POINTS } from '../contract/token.ts';
import { UNKNOWN_DECIMALS } from '../store/clickhouse/schema/codes.ts';
import { floatPrice, wholeUnitFactor } from './price-string.ts';
import { knownQuoteDecimals } from './row-json.ts';
import { quoteOf, type TokenState } from './state.ts';
import { HOUR_S, type TradeFigures } from './trade-figures.ts';

/** Seconds from one point to the next. */
export const SPARK_STEP_S = HOUR_S / SPARK_POINTS;

/** Where the steps of the hour up to a moment end, oldest first: the last one with it. Each has its own end in it, and the first one the hour's beginning. */
export function stepEnds(now: number): number[] {
  return Array.from({ length: SPARK_POINTS }, (_, step) => now - HOUR_S + (step + 1) * SPARK_STEP_S);
}

/**
 * What a token stood at at the end of each step: the last price before it, whenever that was. Steps before its first known
 * price are left out, which are the first ones alone; undefined where no price is known, or not what it is in.
 */
export function sparkOf(state: TokenState, { now, quotes }: TradeFigures): string[] | undefined {
  const { lastPriced } = state;
  const quote = quoteOf(state);
  if (lastPriced === undefined || lastPriced.quote_mint !== quote) return undefined;
  const quoteDecimals = knownQuoteDecimals(lastPriced);
  const { token_decimals, price_quote, price_token } = lastPriced;
  if (quoteDecimals === undefined || token_decimals === UNKNOWN_DECIMALS || price_token === 0n) return undefined;
  const factor = wholeUnitFactor(token_decimals, quoteDecimals);
  if (lastPriced.time < now - HOUR_S) {
    // Nothing has priced it since. By the same steps as a swap's price, or the last digit would be another.
    const price = floatPrice((Number(price_quote) / Number(price_token)) * factor);
    return Array.from({ length: SPARK_POINTS }, () => price);
  }
  const own = quotes.find(({ quote_mint }) => quote_mint === quote);
  const points: string[] = [];
  let price = own?.beforeHour ?? 0;
  let text = floatPrice(price * factor);
  for (const last of own?.steps ?? []) {
    if (last > 0 && last !== price) {
      price = last;
      text = floatPrice(price * factor);
    }
    if (price > 0) points.push(text);
  }
  return points.length === 0 ? undefined : points;
}
