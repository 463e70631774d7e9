import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SLOTS_PER_CHAIN_S } from '../ingest/chain-file.ts';
import { processCpuS } from '../ingest/cpu-time.ts';
import type { Figures } from '../run/benchmark.ts';
import { percentile, rounded } from '../run/statistics.ts';
import { type Asking, askSteadily } from './asked-service.ts';
import { measureDisk } from './disk-share.ts';
import { BLOCKS_TOTAL, type MainnetService, SWAPS_TOTAL, startOnMainnet } from './mainnet-service.ts';
import { childrenOf, MemorySamples } from './process-memory.ts';

const LOOP_BAR_MS = 20;
/** Of what mainnet trades, so much has to come in, or it was no load like mainnet's. */
const LEAST_SHARE = 0.9;
/** The chain has some slots more than the run needs: some of them are skipped. */
const SPARE = 1.03;
const PROGRESS_EVERY = 6;
/** The service lets nobody read its figures more than five times a second. */
const AGAIN_MS = 500;
const MAX_WAIT_MS = 120_000;

export interface ServiceOptions {
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /** Between two looks at memory. */
  readonly lookMs: number;
  /** Slots that are there before anything is measured. */
  readonly atOnce: number;
  /** False where the machine may be too slow for all that was meant. */
  readonly isWhole: boolean;
}

interface Run {
  readonly figures: Figures;
  /** Unix milliseconds. */
  readonly begunAt: number;
  readonly endedAt: number;
}

/**
 * The whole service as a user starts it, with mainnet coming in and visitors who ask: how late its event loop is, what
 * memory and processor each process takes, how many answers are late or refused, and what a swap takes on disk.
 */
export async function measureService(options: ServiceOptions): Promise<Figures> {
  const { seconds, atOnce } = options;
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-bench-loop-'));
  const loopFile = join(folder, 'late.jsonl');
  const watch = new URL('loop-watch.mjs', import.meta.url).href;
  try {
    const mainnet = await startOnMainnet({
      slots: atOnce + Math.ceil(SPARE * seconds * SLOTS_PER_CHAIN_S),
      atOnce,
      settings: {
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${watch}`.trim(),
        BENCH_LOOP_FILE: loopFile,
      },
    });
    try {
      const { figures, begunAt, endedAt } = await askAndWatch(mainnet, options);
      const swaps = await untilStored(mainnet);
      await mainnet.stop();
      return { ...figures, ...loopFigures(loopFile, begunAt, endedAt), ...(await measureDisk(mainnet.dataDir, swaps)) };
    } finally {
      await mainnet.stop();
      mainnet.remove();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function askAndWatch(mainnet: MainnetService, options: ServiceOptions): Promise<Run> {
  const asking = await askSteadily(mainnet.service, options.requestsPerSecond);
  try {
    return await watch(mainnet, asking, options);
  } finally {
    await asking.stop();
  }
}

async function watch(
  mainnet: MainnetService,
  asking: Asking,
  { seconds, lookMs, isWhole }: ServiceOptions,
): Promise<Run> {
  const { service, chain } = mainnet;
  const pids = {
    service: [service.pid],
    clickhouse: childrenOf(service.pid),
    ...{ chain: [chain.pid], asking: [asking.pid] },
  };
  const cpu = () => mapped(pids, (own) => own.reduce((sum, pid) => sum + (processCpuS(pid) ?? 0), 0));
  const memory = new MemorySamples<keyof typeof pids>();
  const behind: number[] = [];
  chain.goOn();
  const before = { cpu: cpu(), metrics: await mainnet.metrics() };
  const begunAt = Date.now();
  for (let look = 1; Date.now() < begunAt + seconds * 1_000; look += 1) {
    await sleep(Math.max(0, begunAt + look * lookMs - Date.now()));
    memory.take(pids);
    // What the chain tells of itself may come later than what the service does.
    behind.push(Math.max(0, chain.sent - ((await mainnet.metrics()).get(BLOCKS_TOTAL) ?? 0)));
    chain.assertWhole();
    if (look % PROGRESS_EVERY === 0) {
      const passed = Math.round((Date.now() - begunAt) / 1_000);
      console.error(`service: ${passed} s, ${asking.answers} answers, ${behind.at(-1)} blocks behind`);
    }
  }
  const endedAt = Date.now();
  const spent = mapped(cpu(), (s, name) => rounded((s - before.cpu[name]) / ((endedAt - begunAt) / 1_000), 3));
  const metrics = await mainnet.metrics();
  const passed = (name: string) => (metrics.get(name) ?? 0) - (before.metrics.get(name) ?? 0);
  const swapsASecond = passed(SWAPS_TOTAL) / ((endedAt - begunAt) / 1_000);
  if (isWhole && chain.ended) throw new Error('the chain ended before the run');
  if (isWhole && swapsASecond < LEAST_SHARE * SWAPS_A_SECOND) {
    throw new Error(`${swapsASecond} swaps a second are no load like mainnet's`);
  }
  const figures = {
    service_seconds: Math.round((endedAt - begunAt) / 1_000),
    swaps_a_second: rounded(swapsASecond, 1),
    swaps_a_second_of_mainnet: SWAPS_A_SECOND,
    blocks_behind_most: Math.max(...behind),
    chain_late_most_ms: Math.round(chain.behindMs.most),
    ...asking.figures(),
    cpu_cores: spent,
    ...memory.figures(),
  };
  return { figures, begunAt, endedAt };
}

/** 50 million a day. */
const SWAPS_A_SECOND = 579;

/** Swaps that went in once the chain has ended and the store has everything of it. */
async function untilStored({ chain, metrics }: MainnetService): Promise<number> {
  const until = performance.now() + MAX_WAIT_MS;
  while (performance.now() < until) {
    const told = await metrics();
    const isStored = told.get(BLOCKS_TOTAL) === chain.sent && told.get(LAG_SLOTS) === 0;
    if (chain.ended && isStored) return told.get(SWAPS_TOTAL) ?? 0;
    await sleep(AGAIN_MS);
  }
  throw new Error(`the store has not got everything within ${MAX_WAIT_MS} ms`);
}

const LAG_SLOTS = 'mintscope_ingest_lag_slots';

function loopFigures(file: string, begunAt: number, endedAt: number): Figures {
  if (!existsSync(file)) throw new Error('the event loop of the service was not watched');
  const late = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly at: number; readonly late: readonly number[] })
    .filter(({ at }) => at >= begunAt && at <= endedAt + 1_000)
    .flatMap((line) => line.late);
  if (late.length === 0) throw new Error('nothing is known of the event loop');
  return {
    loop_bar_ms: LOOP_BAR_MS,
    loop_p50_ms: rounded(percentile(late, 0.5)),
    loop_p99_ms: rounded(percentile(late, 0.99)),
    loop_p999_ms: rounded(percentile(late, 0.999)),
    loop_max_ms: rounded(late.reduce((most, ms) => Math.max(most, ms), 0)),
    loop_looks: late.length,
  };
}

function mapped<N extends string, A, B>(of: Readonly<Record<N, A>>, to: (value: A, name: N) => B): Record<N, B> {
  return Object.fromEntries((Object.entries(of) as [N, A][]).map(([name, value]) => [name, to(value, name)])) as Record<
    N,
    B
  >;
}
