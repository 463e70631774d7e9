import type { Address } from '../../chain/address.ts';
import type { Feed } from '../../feed/feed.ts';
import { createBoundedMap } from '../../kernel/bounded-map.ts';
import { floatPrice, ratioPrice, roundPrice, settledPrice } from '../../token/price-string.ts';
import type { Candle, PriceTexts } from './candle-series.ts';
import type { PriceParts } from './price-parts-reads.ts';
import type { PricingSwaps } from './pricing-swaps.ts';
import type { TradeReads } from './trade-reads.ts';

/** Prices kept with the amounts behind them: about 200 bytes each. */
const KEPT_PRICES = 20_000;

export interface CandlePriceDeps {
  readonly reads: Pick<TradeReads, 'priceParts'>;
  readonly feed: Pick<Feed, 'committedSlot'>;
}

/** Token, swaps that price it, and how many places its prices move to be of whole units. */
export interface PricedSubject {
  readonly mint: Address;
  readonly pricing: PricingSwaps;
  /** Decimals of the token less those of the quote; both 0 for raw prices. */
  readonly tokenDecimals: number;
  readonly quoteDecimals: number;
}

/**
 * Prints prices of candles as those of their swaps, rounded to 15 significant digits. Candles have doubles, and where
 * the last bits of one decide a digit, the amounts behind it are asked of the store. `passing` is called when it does
 * not know them yet: the last digit may then be off by one.
 */
export function createCandlePrices({ reads, feed }: CandlePriceDeps) {
  const kept = createBoundedMap<string, PriceParts>(KEPT_PRICES);

  return async (candles: readonly Candle[], subject: PricedSubject, passing: () => void): Promise<PriceTexts> => {
    const { mint, pricing, tokenDecimals, quoteDecimals } = subject;
    const shift = tokenDecimals - quoteDecimals;
    const texts = new Map<number, string>();
    const open = new Set<number>();
    const keyOf = (price: number) => `${mint} ${pricing.quote} ${pricing.pool} ${price}`;
    const settle = ({ price, price_quote, price_token }: PriceParts) => {
      const exact = ratioPrice({ quote: price_quote, token: price_token, quoteDecimals, tokenDecimals });
      texts.set(price, roundPrice(exact));
      open.delete(price);
    };
    for (const price of pricesOf(candles)) {
      if (texts.has(price) || open.has(price)) continue;
      const text = settledPrice(price, shift);
      const parts = text === undefined ? kept.get(keyOf(price)) : undefined;
      if (text !== undefined) texts.set(price, text);
      else if (parts !== undefined) settle(parts);
      else open.add(price);
    }
    if (open.size === 0) return texts;
    for (const parts of await reads.priceParts(mint, feed.committedSlot, { ...pricing, prices: [...open] })) {
      kept.set(keyOf(parts.price), parts);
      settle(parts);
    }
    if (open.size > 0) passing();
    for (const price of open) texts.set(price, floatPrice(price, shift));
    return texts;
  };
}

function* pricesOf(candles: readonly Candle[]): Iterable<number> {
  for (const { open, high, low, close } of candles) {
    yield open;
    yield high;
    yield low;
    yield close;
  }
}
