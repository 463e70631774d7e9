import type { BookSizes } from '../../books/book-limits.ts';
import type { Opening } from '../../books/book-shelf.ts';
import type { Place } from '../../books/place.ts';
import type { RowSpan } from '../../books/row-span.ts';
import type { Address } from '../../chain/address.ts';
import type { RowReads } from '../../token/row-reads.ts';
import { candleSection } from './candle-section.ts';
import {
  type Candle,
  type CandleRange,
  candleBounds,
  INTERVAL_SECONDS,
  mergeCandles,
  selectCandles,
} from './candle-series.ts';
import type { PricingSwaps } from './pricing-swaps.ts';
import { type RowKind, readRows, rowSection } from './row-section.ts';
import { cutPage, mergePage, type PageRow, type SwapPage } from './swap-page.ts';
import { cutTicks, mergeTicks, type TickCut, type TickPage } from './tick-page.ts';
import { readTicks, tickSection } from './tick-section.ts';
import type { TradeReads } from './trade-reads.ts';

/** Sources of a page: the token's book, and the store behind it. */
export interface PageSource {
  readonly shelf: Opening;
  readonly reads: RowReads & TradeReads;
  /** Slot up to which the store is asked. */
  readonly mark: () => number;
  readonly sizes: BookSizes;
  /** Called when the store had a part in the page: it trails the feed, so the page is not to be kept. */
  readonly passing: () => void;
}

/** Rows of a page, and the slot that they go to: undefined where that is how far the sections go. */
export interface OpenedPage<T> {
  readonly page: T;
  readonly slot: number | undefined;
}

/** Rows of a swaps page, in its order, and one more when there is one. */
export async function openSwapPage(
  { shelf, reads, mark: askedSlot, sizes, passing }: PageSource,
  mint: Address,
  page: SwapPage,
  creator: Address | undefined,
): Promise<OpenedPage<readonly PageRow[]>> {
  const kinds: RowKind[] = ['swaps'];
  if (page.failed) kinds.push('attempts');
  if (page.transfers) kinds.push('transfers');
  const sections = await Promise.all(
    kinds.map((kind) => shelf.open(mint, rowSection(reads, mint, kind, creator, sizes.rows))),
  );
  const spans = sections.map((section) => section.span);
  const hot = cutPage(spans, page);
  if (hot !== undefined) return { page: hot, slot: undefined };
  passing();
  const mark = askedSlot();
  const window = { order: page.order, limit: page.limit + 1, cursor: page.cursor };
  const cold = await Promise.all(kinds.map((kind) => readRows(reads, mint, kind, creator, mark, window)));
  if (spans.every((span) => reachesTo(span, mark))) return { page: mergePage(cold, spans, page), slot: undefined };
  return { page: mergePage(cold, [], page), slot: mark };
}

/** False when rows between those of the store, up to `mark`, and the newest ones were forgotten. */
function reachesTo({ rows, complete }: RowSpan<Place>, mark: number): boolean {
  return complete || (rows[0] !== undefined && rows[0].slot <= mark);
}

/** Candles of a range, oldest first. `now` is in Unix seconds. */
export async function openCandles(
  { shelf, reads, mark: askedSlot, sizes, passing }: PageSource,
  mint: Address,
  range: CandleRange,
  pricing: PricingSwaps,
  now: number,
): Promise<Candle[]> {
  const bounds = candleBounds(range, now);
  const section = await shelf.open(mint, candleSection(reads, mint, range.interval, pricing, sizes.candles));
  const first = section.candles[0];
  if (section.complete || (first !== undefined && first.start < bounds.from)) {
    return selectCandles(section.candles, range, bounds, now);
  }
  passing();
  const mark = askedSlot();
  const step = INTERVAL_SECONDS[range.interval];
  const order = bounds.fromStart ? 'asc' : 'desc';
  const { from, to } = bounds;
  const [inside, before] = await Promise.all([
    reads.candles(mint, mark, { ...pricing, step, from, to, order, limit: range.limit }),
    range.fill ? reads.candles(mint, mark, { ...pricing, step, from: 0, to: from, order: 'desc', limit: 1 }) : [],
  ]);
  return selectCandles(mergeCandles([...before, ...inside], section.candles), range, bounds, now);
}

/** Swaps of a tick page. */
export async function openTicks(
  { shelf, reads, mark: askedSlot, sizes, passing }: PageSource,
  mint: Address,
  pricing: PricingSwaps,
  page: TickPage,
): Promise<OpenedPage<TickCut>> {
  const section = await shelf.open(mint, tickSection(reads, mint, pricing, sizes.ticks));
  const hot = cutTicks(section.span, page);
  if (hot !== undefined) return { page: hot, slot: undefined };
  passing();
  const mark = askedSlot();
  const stored = await readTicks(reads, mint, pricing, mark, page);
  if (reachesTo(section.span, mark)) return { page: mergeTicks(stored, section.span, page), slot: undefined };
  return { page: mergeTicks(stored, { rows: [], complete: false }, page), slot: mark };
}
