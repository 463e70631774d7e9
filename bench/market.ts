import { readBatch } from '../src/books/mint-rows.ts';
import { createFactsMaker } from '../test/support/block-facts.ts';
import { cpuMs, type FilledWindows, fillWindows, SLOTS_PER_S } from './market/filled-windows.ts';
import type { MarketSize } from './market/made-market.ts';
import { measureWarmUp } from './market/warm.ts';
import { SHORT_SWAPS } from './recovery/grown-store.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median, percentile, rounded } from './run/statistics.ts';

/**
 * Windows over a market of mainnet's size: what they hold in memory, what one block costs them, and how long they take to
 * be read from a store. `ratio` is a block's time in the windows over that of decoding the same number of swaps out of
 * the message that brings it. Parts: `memory` (with the blocks) and `warm`.
 */
const WHOLE: MarketSize = { swapsPerDay: 50_000_000, tokens: 300_000, tokensAtOnce: 20_000, wallets: 400_000 };
const SHORT: MarketSize = { swapsPerDay: 500_000, tokens: 3_000, tokensAtOnce: 200, wallets: 4_000 };
const BARS = { memory_bar_mb: 600, block_bar_ms: 3 };
/** The windows' hour and what they hold behind it. */
const FILL_S = { whole: 3_720, short: 200 };
/** An hour ends among the blocks that are measured. */
const MEASURED_S = { whole: 3_600, short: 1_500 };
const LATE_BLOCKS = 100;
const LATE_SLOTS = { whole: 4_000, short: 100 };
const DECODED_BLOCKS = { whole: 500, short: 20 };
const WARM_SWAPS = 20_000_000;
/** Spreads the swaps over seven days. */
const WARM_STRIDE = 17;
const MEGABYTE = 1_000_000;

export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const isAsked = (part: string) => words.length === 0 || words.includes(part);
  return {
    bench: 'market',
    ...(isAsked('memory') ? await measureMemory(short ? 'short' : 'whole') : {}),
    ...(isAsked('warm') ? await measureWarmUp(short ? SHORT_SWAPS : WARM_SWAPS, short ? 1 : WARM_STRIDE) : {}),
  };
}

async function measureMemory(extent: 'whole' | 'short'): Promise<Figures> {
  const size = extent === 'whole' ? WHOLE : SHORT;
  const before = heldBytes();
  const filled = await fillWindows(size, FILL_S[extent]);
  const held = heldBytes() - before;
  const blocks = Array.from({ length: MEASURED_S[extent] * SLOTS_PER_S }, () => filled.add());
  const late = Array.from({ length: LATE_BLOCKS }, (_, at) => filled.addLate(LATE_SLOTS[extent] + at));
  assertWhole(filled, Math.min(FILL_S[extent] + MEASURED_S[extent], 3_600));
  const decoded = decodeTimes(filled.swapsPerBlock, DECODED_BLOCKS[extent]);
  return {
    ratio: rounded(median(blocks) / median(decoded)),
    ...BARS,
    memory_mb: rounded(held / MEGABYTE, 1),
    memory_told_mb: rounded(filled.windows.bytes / MEGABYTE, 1),
    series: filled.windows.book.size,
    minute_cells: filled.windows.day.cells,
    hour_cells: filled.windows.week.cells,
    block_ms: rounded(median(blocks)),
    block_p99_ms: rounded(percentile(blocks, 0.99)),
    block_max_ms: rounded(Math.max(...blocks)),
    blocks_over_bar: blocks.filter((ms) => ms > BARS.block_bar_ms).length,
    late_block_ms: rounded(median(late)),
    late_block_max_ms: rounded(Math.max(...late)),
    decode_block_ms: rounded(median(decoded)),
    blocks: blocks.length,
    swaps_per_block: filled.swapsPerBlock,
  };
}

/** Throws unless the windows count the swaps of all blocks of their hour, late ones once. */
function assertWhole({ windows, swapsPerBlock }: FilledWindows, seconds: number): void {
  let counted = 0;
  for (const series of windows.book.all()) counted += windows.book.swaps(series, 'hour');
  // Both ends belong to the hour, and its seconds have two or three blocks.
  const [least, most] = [seconds - 1, seconds + 2].map((s) => s * SLOTS_PER_S * swapsPerBlock);
  if (counted < least! || counted > most!) throw new Error(`${counted} swaps are counted, not ${least} to ${most}`);
}

/** Milliseconds of the processor that decoding each of some blocks takes. */
function decodeTimes(swapsPerBlock: number, blocks: number): number[] {
  const maker = createFactsMaker({ swapsPerBlock });
  return Array.from({ length: blocks }, () => {
    const batch = maker.nextBatch();
    const begunAt = process.cpuUsage();
    const rows = readBatch(batch);
    const ms = cpuMs(begunAt);
    if (rows.size === 0) throw new Error('a block without swaps was decoded');
    return ms;
  });
}

/** Bytes that JavaScript holds, inside of its heap and outside. */
function heldBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run it with `npm run bench`, which counts what is left of garbage');
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
