import type { Section } from '../../books/book-set.ts';
import type { SectionSource } from '../../books/book-shelf.ts';
import { type RowSpan, RowTail } from '../../books/row-span.ts';
import type { Address } from '../../chain/address.ts';
import { isPricing, type PricingSwaps } from './pricing-swaps.ts';
import { cursorPlace, type TickPage } from './tick-page.ts';
import type { TickRow } from './tick-reads.ts';
import type { TradeReads } from './trade-reads.ts';

/** A tick's numbers, its two bigints and two prices, in an object. */
const TICK_BYTES = 240;

/** The newest pricing swaps. */
export interface TickSection extends Section {
  readonly span: RowSpan<TickRow>;
}

export function tickSection(
  reads: TradeReads,
  mint: Address,
  pricing: PricingSwaps,
  size: number,
): SectionSource<TickSection> {
  return {
    key: `ticks ${pricing.quote} ${pricing.pool}`,
    async load(mark) {
      const newest = await reads.ticks(mint, mark, { ...pricing, order: 'desc', limit: size + 1, cursor: undefined });
      const complete = newest.length <= size;
      const span = new RowTail<TickRow>(size, newest.slice(0, size).reverse(), complete);
      return {
        span,
        get bytes() {
          return span.rows.length * TICK_BYTES;
        },
        apply({ swaps }) {
          return swaps.every((swap) => !isPricing(pricing, swap) || span.push(tickOf(swap)));
        },
      };
    },
    isWorthKeeping: () => true,
  };
}

/** Rows of the store that `mergeTicks` needs for a page that reaches further back than the book. */
export async function readTicks(
  reads: TradeReads,
  mint: Address,
  pricing: PricingSwaps,
  mark: number,
  page: TickPage,
): Promise<readonly TickRow[]> {
  const limit = page.limit + 1;
  if (page.after === undefined) {
    return reads.ticks(mint, mark, { ...pricing, order: 'desc', limit, cursor: cursorPlace(page.before) });
  }
  const [onwards, first] = await Promise.all([
    reads.ticks(mint, mark, { ...pricing, order: 'asc', limit, cursor: cursorPlace(page.after) }),
    reads.ticks(mint, mark, { ...pricing, order: 'asc', limit: 1, cursor: undefined }),
  ]);
  return [...first, ...onwards];
}

/** Only what a tick needs, so that the swap's other forty columns are let go. */
function tickOf(swap: TickRow): TickRow {
  const { slot, block_index, ix_index, time, venue, trader, is_buy, quote_mint, quote_decimals } = swap;
  const { token_decimals, quote_amount, price_quote, price_token } = swap;
  return {
    slot,
    block_index,
    ix_index,
    time,
    venue,
    trader,
    is_buy,
    quote_mint,
    quote_decimals,
    token_decimals,
    quote_amount,
    price_quote,
    price_token,
  };
}
