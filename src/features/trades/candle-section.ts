import type { Section } from '../../books/book-set.ts';
import type { SectionSource } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { type Candle, foldTrades, INTERVAL_SECONDS } from './candle-series.ts';
import type { CandleInterval } from './contract.ts';
import { isPricing, type PricingSwaps } from './pricing-swaps.ts';
import type { TradeReads } from './trade-reads.ts';

const CANDLE_BYTES = 160;
/** Later than any bucket. */
const END_OF_TIME = 2 ** 32 - 1;

/** The newest candles of one interval. */
export interface CandleSection extends Section {
  /** Ascending. */
  readonly candles: readonly Candle[];
  /** True when there is nothing older. */
  readonly complete: boolean;
}

export function candleSection(
  reads: TradeReads,
  mint: Address,
  interval: CandleInterval,
  pricing: PricingSwaps,
  size: number,
): SectionSource<CandleSection> {
  const step = INTERVAL_SECONDS[interval];
  return {
    key: `candles ${interval} ${pricing.quote} ${pricing.pool}`,
    async load(mark) {
      const window = { ...pricing, step, from: 0, to: END_OF_TIME, order: 'desc', limit: size + 1 } as const;
      const newest = await reads.candles(mint, mark, window);
      let complete = newest.length <= size;
      const candles: Candle[] = newest.slice(0, size).reverse();
      return {
        candles,
        get complete() {
          return complete;
        },
        get bytes() {
          return candles.length * CANDLE_BYTES;
        },
        apply({ swaps }) {
          const trades = swaps.filter((swap) => isPricing(pricing, swap));
          const inOrder = foldTrades(candles, trades, step);
          if (candles.length >= 2 * size) {
            candles.splice(0, candles.length - size);
            complete = false;
          }
          return inOrder;
        },
      };
    },
    isWorthKeeping: () => true,
  };
}
