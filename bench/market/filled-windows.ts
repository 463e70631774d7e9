import { systemClock } from '../../src/kernel/clock.ts';
import { MarketWindows } from '../../src/market/market-windows.ts';
import { Portions } from '../../src/market/portions.ts';
import { RingLoader } from '../../src/market/ring-loader.ts';
import { countsOf } from '../../src/market/sums.ts';
import { DAY_RING, type TradeRing, WEEK_RING } from '../../src/market/trade-ring.ts';
import { createMadeMarket, type MadeCell, type MarketSize } from './made-market.ts';

/** Of which buckets are held: some more than a week. */
const HELD_S = 8 * 86_400;
/** Some minutes before a full hour, so that one ends among the blocks that are measured. */
const END = 1_790_002_200;
export const SLOTS_PER_S = 2.5;
const FIRST_SLOT = 500_000_000;

export interface FilledWindows {
  readonly windows: MarketWindows;
  /** Adds the next block and tells how many milliseconds of the processor that took. */
  add(): number;
  /** Adds a block of `ago` slots ago anew, and tells how many milliseconds of the processor that took. */
  addLate(ago: number): number;
  /** Swaps of a block. */
  readonly swapsPerBlock: number;
}

/** Windows with a week of a made-up market: minutes and hours as they are loaded, and the last hour block by block. */
export async function fillWindows(size: MarketSize, hourS: number): Promise<FilledWindows> {
  const market = createMadeMarket(size, END - HELD_S);
  const windows = new MarketWindows();
  windows.moveTo(END);
  await load(windows, { ring: windows.week, width: WEEK_RING.width, cells: (start) => market.hour(start) });
  await load(windows, { ring: windows.day, width: DAY_RING.width, cells: (start) => market.minute(start) });
  const swapsPerBlock = Math.round(size.swapsPerDay / 86_400 / SLOTS_PER_S);
  let blocks = 0;
  const blockAt = (index: number) => {
    const time = END + Math.floor(index / SLOTS_PER_S);
    return { slot: FIRST_SLOT + index, time, swaps: market.block(time, swapsPerBlock) };
  };
  const timed = (index: number): number => {
    const block = blockAt(index);
    // Each block brings addresses of its own.
    market.forget();
    const begunAt = process.cpuUsage();
    if (!windows.add(block)) throw new Error(`block ${index} is too old for the windows`);
    return cpuMs(begunAt);
  };
  const filled: FilledWindows = {
    windows,
    swapsPerBlock,
    add() {
      blocks += 1;
      return timed(blocks - 1);
    },
    addLate: (ago) => timed(blocks - 1 - ago),
  };
  while (blocks < hourS * SLOTS_PER_S) filled.add();
  market.forget();
  return filled;
}

/** Milliseconds of processor time since then, that of collecting garbage included: others may keep the machine busy. */
export function cpuMs(begunAt: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begunAt);
  return (user + system) / 1_000;
}

interface Load {
  readonly ring: TradeRing;
  readonly width: number;
  cells(start: number): readonly MadeCell[];
}

async function load({ book }: MarketWindows, { ring, width, cells }: Load): Promise<void> {
  const portions = new Portions(systemClock);
  for (let start = ring.wholeSince; start < END - (END % width); start += width) {
    const loader = new RingLoader(book);
    for (const { mint, quote, venue, start: begin, ...sums } of cells(start)) {
      const series = book.take(mint, quote);
      loader.add(series, begin, venue, countsOf(sums));
      book.release(series.number);
    }
    await loader.pourInto(ring, portions);
  }
}
