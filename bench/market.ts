import { readBatch } from '../src/books/mint-rows.ts';
import { createFactsMaker } from '../test/support/block-facts.ts';
import { measureEqual } from './market/equal.ts';
import { SLOTS_PER_MINUTE, SWAPS_PER_BLOCK } from './market/fee-blocks.ts';
import { type FeesOptions, measureFees } from './market/fees.ts';
import { cpuMs, type FilledWindows, fillWindows, SLOTS_PER_S } from './market/filled-windows.ts';
import { heldBytes } from './market/held-bytes.ts';
import { type LookupOptions, measureLookups } from './market/leader-lookups.ts';
import { type LeadersOptions, measureLeaders } from './market/leaders.ts';
import { measureLeadersRoute } from './market/leaders-route.ts';
import { type ListsOptions, measureLists } from './market/lists.ts';
import type { MarketSize } from './market/made-market.ts';
import { measureServed, SERVED_BAR, type ServedOptions } from './market/served.ts';
import { measureService, type ServiceOptions } from './market/service.ts';
import { measureWarmUp } from './market/warm.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median, percentile, rounded } from './run/statistics.ts';

/**
 * The market and what is asked of it. Parts:
 *
 * - `memory`: what windows of mainnet's size hold, and what one block costs them; `block_ratio` is a block's time in the
 *   windows over that of decoding the same number of swaps out of the message that brings it;
 * - `warm`: how long they take to be read from the store that `lists` asks;
 * - `served`: answers from memory against a bare route that sends the same, with mainnet coming in beside;
 * - `lists`: filtered lists and searches over a grown store, first answers and those from memory;
 * - `leaders`: what a block costs the newest slots' economics, what a year of slots takes in the store, scaled, and what
 *   `/leaders` takes of a core with its default windows, made anew for each block; and how long the store takes to tell who
 *   led a slot of a year ago;
 * - `fees`: `/routers`, `/tip-market` and `/landing-conditions` over a week, first answers against a plain scan of the swaps
 *   and those from memory; what a block costs their sums against its facts; what a day of landing conditions holds against
 *   its bids as they are;
 * - `equal`: windows against SQL over the same swaps, at instants of a chain that withdraws and is late;
 * - `service`: the whole service for half an hour, with mainnet coming in and visitors who ask.
 *
 * `ratio` is the lowest of `served`, at least its bar; where that part is not asked for, there is none.
 *
 * `-- market [parts] [number]`: one part's number is swaps of `warm` and `lists`, instants of `equal`, minutes of
 * `service`. Chains of mainnet are written ahead, once: gigabytes, and longer than they last.
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
const GROWN_SWAPS = 20_000_000;
const MEGABYTE = 1_000_000;

const SERVED: Extent<ServedOptions> = {
  whole: { rounds: 5, amount: { seconds: 2 }, connections: 32, slots: 2_400, atOnce: 600, isFull: true },
  short: { rounds: 1, amount: { requests: 32 }, connections: 16, slots: 20, atOnce: 10, isFull: false },
};
const LISTS: Extent<ListsOptions> = {
  whole: {
    ...{ swaps: GROWN_SWAPS, stride: 20, passing: { tokens: 300_000, atOnce: 20_000 } },
    ...{ idleSeconds: 10, again: 20, clients: 4, creators: 40, ranges: 40 },
  },
  short: {
    ...{ swaps: 60_000, stride: 1, passing: { tokens: 2_000, atOnce: 300 } },
    ...{ idleSeconds: 0.25, again: 1, clients: 2, creators: 2, ranges: 2 },
  },
};
/** Instants, and the share of blocks that come hours behind the one before: both last for more than a week. */
const EQUAL = { whole: { instants: 1_000, leaps: 0.002 }, short: { instants: 20, leaps: 0.06 } };
const SERVICE: Extent<ServiceOptions> = {
  whole: {
    ...{ seconds: 1_800, requestsPerSecond: 200, lookMs: 10_000 },
    ...{ atOnce: 300, isWhole: true },
  },
  short: { seconds: 3, requestsPerSecond: 20, lookMs: 250, atOnce: 4, isWhole: false },
};

const LEADERS: Extent<LeadersOptions> = {
  whole: { blocks: 1_000, slots: 2_000_000 },
  short: { blocks: 20, slots: 2_000 },
};
/** A year of slots at 200 ms, in epochs of mainnet's length. */
const LOOKUPS: Extent<LookupOptions> = {
  whole: { epochs: 365, slotsPerEpoch: 432_000, validators: 1_000, lookups: 400 },
  short: { epochs: 4, slotsPerEpoch: 8_000, validators: 50, lookups: 20 },
};

/** A block in 30 seconds, and an hour as full as mainnet's. */
const FEES: Extent<FeesOptions> = {
  whole: {
    ...{ sparseBlocks: 23_000, fullMinutes: 60, slotsPerMinute: SLOTS_PER_MINUTE, swapsPerBlock: SWAPS_PER_BLOCK },
    ...{ firsts: 20, again: 50, flushes: 60 },
  },
  short: { sparseBlocks: 20, fullMinutes: 2, slotsPerMinute: 10, swapsPerBlock: 4, firsts: 1, again: 2, flushes: 2 },
};

interface Extent<T> {
  readonly whole: T;
  readonly short: T;
}

export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const extent = short ? 'short' : 'whole';
  const number = words.map(Number).find((each) => each > 0);
  const asked = words.filter((word) => !(Number(word) > 0)).flatMap((word) => word.split(','));
  const parts: Readonly<Record<string, () => Promise<Figures>>> = {
    memory: () => measureMemory(extent),
    warm: () => measureWarmUp(listsOf(extent, number)),
    equal: () => {
      const { instants, leaps } = EQUAL[extent];
      return measureEqual(number ?? instants, leaps);
    },
    lists: () => measureLists(listsOf(extent, number)),
    leaders: async () => ({
      ...(await measureLeaders(LEADERS[extent])),
      ...(await measureLeadersRoute(short ? 20 : 2_000)),
      ...(await measureLookups(LOOKUPS[extent])),
    }),
    fees: () => measureFees(FEES[extent]),
    served: () => measureServed(SERVED[extent]),
    service: () => {
      const { seconds, ...options } = SERVICE[extent];
      return measureService({ ...options, seconds: number === undefined ? seconds : 60 * number });
    },
  };
  const strange = asked.find((part) => !(part in parts));
  if (strange !== undefined) throw new Error(`no part ${strange}: there are ${Object.keys(parts).join(', ')}`);
  const figures: Record<string, unknown> = {};
  for (const [part, measure] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(part)) continue;
    const measured = await measure();
    // It takes minutes: whoever waits sees what there is.
    console.error(`${part}: ${JSON.stringify(measured)}`);
    Object.assign(figures, measured);
  }
  const { served_ratio: ratio } = figures;
  return { bench: 'market', ...(ratio === undefined ? {} : { ratio, bar: SERVED_BAR }), ...figures };
}

/** A smaller store has fewer tokens, as close to each other. */
function listsOf(extent: 'whole' | 'short', swaps: number | undefined): ListsOptions {
  const size = LISTS[extent];
  if (extent === 'short' || swaps === undefined) return size;
  const share = swaps / size.swaps;
  const { tokens, atOnce } = size.passing;
  return {
    ...size,
    swaps,
    stride: Math.max(1, Math.round(size.stride / share)),
    passing: { tokens: Math.ceil(tokens * share), atOnce: Math.ceil(atOnce * share) },
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
    block_ratio: rounded(median(blocks) / median(decoded)),
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
