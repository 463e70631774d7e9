import type { Clock } from '../kernel/clock.ts';
import type { TimeSpan, WindowReads } from './market-reads.ts';
import { MarketWindows } from './market-windows.ts';
import { visitCells } from './packed-cells.ts';
import type { Portions } from './portions.ts';
import { RingLoader } from './ring-loader.ts';
import { SwapsBySlot } from './swaps-by-slot.ts';
import { CellSums, type RingCell } from './trade-cells.ts';
import { DAY_RING, type TradeRing, WEEK_RING } from './trade-ring.ts';

/**
 * Cells of so long are read at once: a few million at mainnet's rate, so that no read takes longer than a request may. A read
 * that was quick is followed by one of twice the time: swaps lie by token, and each read goes through all of their places.
 */
const CELLS_AT_ONCE_S = { day: 6 * 3_600, week: 24 * 3_600 } as const;
const QUICK_MS = 1_500;
const MOST_AT_ONCE = 4;

export interface WarmUp {
  readonly reads: WindowReads;
  /** Slot up to which the store answers. */
  readonly mark: number;
  /** Seconds with which the windows end. */
  readonly now: number;
  readonly portions: Portions;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly signal: AbortSignal;
}

/**
 * Reads all windows as the store has them: the last hour swap by swap, minutes before it as sums, and hours before those.
 * Newer minutes are made of the hour, and newer hours of minutes, so that they agree whatever came into the store
 * meanwhile.
 */
export async function readWindows(warmUp: WarmUp): Promise<MarketWindows> {
  const { reads, mark, now, portions, signal } = warmUp;
  const windows = new MarketWindows();
  windows.moveTo(now);
  if (now === 0) return windows;
  const { hour, day, week } = windows;
  const until = now + 1;
  const inHour = await reads.slots(mark, { since: hour.heldSince, until });
  const bySlot = new SwapsBySlot((block) => hour.add(block.slot, block.time, block.swaps));
  for await (const rows of reads.swaps({ ...inHour, since: hour.heldSince, until }, signal)) {
    bySlot.push(rows);
    await portions.turn();
  }
  bySlot.end();
  const { after } = await reads.slots(mark, { since: week.wholeSince, until });
  windows.slotTimes.note(after, week.wholeSince - 1);
  const load = { ...warmUp, windows, after };
  await loadRing(load, {
    ...{ ring: day, width: DAY_RING.width, atOnce: CELLS_AT_ONCE_S.day, until: hour.heldSince },
    newer: async (cells, from, to) => hour.addTo(cells, from, to),
  });
  await loadRing(load, {
    ...{ ring: week, width: WEEK_RING.width, atOnce: CELLS_AT_ONCE_S.week, until: day.wholeSince },
    newer: (cells, from, to) => addMinutes(load, cells, from, to),
  });
  return windows;
}

interface Loading extends WarmUp {
  readonly windows: MarketWindows;
  /** Slot behind which everything lies that is asked for. */
  readonly after: number;
}

interface RingLoad {
  readonly ring: TradeRing;
  readonly width: number;
  readonly atOnce: number;
  /** The store is asked for what is before this second. */
  readonly until: number;
  /** Adds what is held of a span of seconds that begins there or later. */
  newer(cells: CellSums, from: number, to: number): Promise<void>;
}

async function loadRing(loading: Loading, load: RingLoad): Promise<void> {
  const { portions, windows, clock } = loading;
  const { ring, width, until } = load;
  let { atOnce } = load;
  /** Start of the bucket that is in part the store's. */
  const edge = until - (until % width);
  const atEdge: RingCell[] = [];
  try {
    for (let since = ring.wholeSince; since < until; ) {
      const begunAt = clock.elapsed();
      const loader = new RingLoader(windows.book);
      const span = { since, until: Math.min(since + atOnce, until) };
      const cells = await readCells(loading, { loader, span, width, edge, atEdge });
      await loader.pourInto(ring, portions);
      since = span.until;
      // What had nothing to tell says nothing of how long the next one takes.
      const isQuick = cells > 0 && clock.elapsed() - begunAt < QUICK_MS;
      if (cells > 0) atOnce = isQuick ? Math.min(2 * atOnce, MOST_AT_ONCE * load.atOnce) : load.atOnce;
    }
    for (let start = edge; start <= windows.now; start += width) {
      const cells = new CellSums(windows.book);
      for (const { series, venue, counts } of start === edge ? atEdge : []) cells.add(series.number, venue, counts);
      await load.newer(cells, Math.max(start, until), start + width);
      const loader = new RingLoader(windows.book);
      for (const { series, venue, counts } of cells.all()) loader.add(series, start, venue, counts);
      await loader.pourInto(ring, portions);
    }
  } finally {
    for (const { series } of atEdge) windows.book.release(series.number);
  }
}

interface CellRead {
  readonly loader: RingLoader;
  readonly span: TimeSpan;
  readonly width: number;
  readonly edge: number;
  /** Gets the cells of the bucket at the edge, each with a reference to its series. */
  readonly atEdge: RingCell[];
}

/** Reads cells into the loader, and resolves with how many there were. */
async function readCells(
  { reads, mark, after, windows: { book, slotTimes }, portions, signal }: Loading,
  { loader, span, width, edge, atEdge }: CellRead,
): Promise<number> {
  let count = 0;
  const slots = await reads.slots(mark, span, after);
  if (slots.last > after) slotTimes.note(slots.last, span.until - 1);
  for await (const rows of reads.cells({ ...slots, ...span, width }, signal)) {
    for (const { mint, quote_mint, venue, cells } of rows) {
      const series = book.take(mint, quote_mint);
      visitCells(cells, (start, counts) => {
        count += 1;
        if (start !== edge) loader.add(series, start, venue, counts);
        else atEdge.push({ series: book.take(mint, quote_mint), venue, counts: { ...counts } });
      });
      book.release(series.number);
    }
    await portions.turn();
  }
  return count;
}

async function addMinutes({ windows, portions }: Loading, cells: CellSums, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += DAY_RING.width) {
    windows.day.addTo(cells, start, start + DAY_RING.width);
    await portions.turn();
  }
}
