import { SHORT_SWAPS } from './recovery/grown-store.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { besideBefore } from './token/before.ts';
import { type ColdOptions, coldTokens, measureCold } from './token/cold.ts';
import { type FirstOptions, measureFirst } from './token/first.ts';
import { scatteredTokens, startOnGrownStore } from './token/grown-service.ts';
import { type HotOptions, measureHot } from './token/hot.ts';
import { measureMemory } from './token/memory.ts';
import { measureTraded, type TradedOptions } from './token/traded.ts';
import { measureWide, type WideOptions } from './token/wide.ts';

/**
 * Every question about a token: hot against a bare route that sends the same, the
 * wide ones on the hottest token of a store with many swaps, tokens that nobody
 * has asked for against the same SQL alone, and the memory of books. The service
 * ingests the simulated chain all along. `ratio` is the lowest hot ratio; the
 * other bars stand beside their figures.
 *
 * `-- token [swaps] [parts] [before=<commit>]`: 20 million swaps unless it says otherwise, `--short`
 * for few and short rounds; parts out of hot,traded,first,wide,cold,memory. With `before` the cold part is
 * measured of that commit's code as well, on a store of its own.
 */
interface Size {
  readonly swaps: number;
  /** Slots from one that has swaps to the next. */
  readonly stride: number;
  readonly hot: HotOptions;
  readonly traded: TradedOptions;
  readonly first: FirstOptions;
  readonly wide: WideOptions;
  readonly cold: ColdOptions;
  readonly memoryTokens: number;
  /** Of the service on the grown store, as its setting has it. */
  readonly bookMemory: string;
}

const HOT_BAR = 0.5;
const COLD_BAR = 1.5;
const WHOLE: Size = {
  swaps: 20_000_000,
  // Eight days at five slots a second.
  stride: 20,
  hot: { fillMs: 75_000, rounds: 5, amount: { seconds: 2 }, connections: 32 },
  traded: { fillMs: 60_000, requests: 1_000, connections: 64 },
  first: { answers: 200 },
  wide: { idleSeconds: 8, amount: { seconds: 8 } },
  cold: { rounds: 4, tokens: 128, alone: 64 },
  memoryTokens: 2_000,
  bookMemory: '64M',
};
const SHORT: Size = {
  swaps: SHORT_SWAPS,
  stride: 1,
  hot: { fillMs: 500, rounds: 1, amount: { requests: 32 }, connections: 16 },
  traded: { fillMs: 500, requests: 4, connections: 8 },
  first: { answers: 2 },
  wide: { idleSeconds: 0.25, amount: { requests: 5 } },
  cold: { rounds: 1, tokens: 2, alone: 2 },
  memoryTokens: 6,
  bookMemory: '16M',
};
const PARTS = 'hot,traded,first,wide,cold,memory';
/** Milliseconds of the slowest of a hundred first answers. */
const FIRST_INTELLIGENCE_BAR_MS = 100;
const FIRST_PACK_BAR_MS = 200;
const BEFORE = 'before=';

export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const isSize = (word: string) => /^\d+$/.test(word);
  const size = short ? SHORT : scaled(Number(words.find(isSize) ?? WHOLE.swaps));
  const before = words.find((word) => word.startsWith(BEFORE))?.slice(BEFORE.length);
  const parts = (words.find((word) => !isSize(word) && !word.startsWith(BEFORE)) ?? PARTS).split(',');
  const hot = parts.includes('hot') ? await measureHot(size.hot) : {};
  const traded = parts.includes('traded') ? await measureTraded(size.traded) : {};
  const grown = parts.some((part) => part !== 'hot' && part !== 'traded') ? await measureGrown(size, parts) : {};
  const beside = before === undefined ? {} : besideBefore(grown, { commit: before, swaps: size.swaps, short });
  const ratios = Object.entries(hot).flatMap(([name, value]) => (name.endsWith('_ratio') ? [value] : []));
  const ratio = ratios.length === 0 ? undefined : Math.min(...ratios);
  const bars = { bar: HOT_BAR, cold_bar: COLD_BAR, ...firstBars(grown) };
  return { bench: 'token', ratio, ...bars, ...hot, ...traded, ...grown, ...beside };
}

function firstBars(grown: Readonly<Record<string, unknown>>) {
  if (!('first_answers' in grown)) return {};
  return { first_intelligence_bar_ms: FIRST_INTELLIGENCE_BAR_MS, first_pack_bar_ms: FIRST_PACK_BAR_MS };
}

/** A smaller store has fewer tokens to ask for. */
function scaled(swaps: number): Size {
  const share = Math.min(1, swaps / WHOLE.swaps);
  const cold = { ...WHOLE.cold, tokens: Math.min(WHOLE.cold.tokens, Math.ceil(440 * share)) };
  return { ...WHOLE, swaps, cold, memoryTokens: Math.min(WHOLE.memoryTokens, Math.ceil(10_000 * share)) };
}

async function measureGrown(size: Size, parts: readonly string[]): Promise<Figures> {
  const grown = await startOnGrownStore(size.swaps, size.bookMemory, size.stride);
  try {
    const cold = coldTokens(size.cold);
    const mints = await scatteredTokens(grown.client, cold + size.memoryTokens);
    const figures: Record<string, unknown> = { stored: grown.rows };
    const measures = {
      first: () => measureFirst(grown, size.first),
      wide: () => measureWide(grown, size.wide),
      cold: () => measureCold(grown, mints.slice(0, cold), size.cold),
      memory: () => measureMemory(grown.service, mints.slice(cold)),
    };
    for (const [part, measure] of Object.entries(measures)) {
      if (!parts.includes(part)) continue;
      const measured = await measure();
      // It takes minutes: whoever waits sees what there is.
      console.error(`${part}: ${JSON.stringify(measured)}`);
      Object.assign(figures, measured);
    }
    return figures;
  } finally {
    await grown.stop();
  }
}
