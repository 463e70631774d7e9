import { type ChainFile, provideChainFile, SHORT_SLOTS, SLOTS_PER_CHAIN_S } from './ingest/chain-file.ts';
import { type Live, measureLive } from './ingest/live.ts';
import { measureThroughput, type Throughput } from './ingest/throughput.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { rounded } from './run/statistics.ts';

/** Required seconds of chain a second. The baseline is real time, one. */
const BAR = 20;
/** Required of the process that follows the chain at its own pace, megabytes. */
const BAR_RSS_MB = 700;
/** Slots of chain that are played as fast as they go, and those at the chain's pace. */
const LONG = { slots: 600, liveSlots: 300 };
const SHORT = { slots: SHORT_SLOTS, liveSlots: 15 };

/**
 * Simulated mainnet, Yellowstone bytes to queryable rows, by the thread that
 * the service runs, into the embedded store: how many seconds of chain a second,
 * and how long a block takes at the chain's own pace, from a Yellowstone server.
 * The first run makes the chain's file, which takes minutes.
 */
export async function run({ short }: BenchmarkOptions): Promise<Figures> {
  const { slots, liveSlots } = short ? SHORT : LONG;
  const chain = await provideChainFile(slots);
  const throughput = await measureThroughput(chain.path);
  const live = await measureLive(chain.path, liveSlots);
  assertStored(throughput);
  const figures = figuresOf(chain, throughput, slots / SLOTS_PER_CHAIN_S);
  print(chain, throughput, live, figures);
  return {
    bench: 'ingest',
    bar: BAR,
    ...figures,
    live_chain_s: live.chainS,
    live_feed_p99_ms: live.feedMs.p99,
    live_store_p99_ms: live.storeMs.p99,
    flush_interval_ms: live.flushIntervalMs,
    live_rss_mb: live.rss,
    bar_rss_mb: BAR_RSS_MB,
    live_our_cpu_s_per_chain_s: rounded(live.ourCpuS, 3),
    live_clickhouse_cpu_s_per_chain_s: rounded(live.clickhouseCpuS, 3),
    ...(chain.makingS === undefined ? {} : { making_the_chain_s: Math.round(chain.makingS) }),
  };
}

function assertStored({ rows, stats }: Throughput): void {
  if (rows.swaps === stats.facts.swaps && rows.attempts === stats.facts.attempts) return;
  throw new Error(
    `derived ${stats.facts.swaps} swaps and ${stats.facts.attempts} attempts, stored ${JSON.stringify(rows)}`,
  );
}

function figuresOf({ load }: ChainFile, { stats, wallS, ourCpuS, clickhouseCpuS }: Throughput, chainS: number) {
  return {
    ratio: rounded(chainS / wallS),
    chain_s: chainS,
    wall_s: rounded(wallS),
    our_cpu_s_per_chain_s: rounded(ourCpuS / chainS, 3),
    ...(clickhouseCpuS === undefined ? {} : { clickhouse_cpu_s_per_chain_s: rounded(clickhouseCpuS / chainS, 3) }),
    load_per_chain_s: load,
    swaps_per_chain_s: Math.round(stats.facts.swaps / chainS),
    attempts_per_chain_s: Math.round(stats.facts.attempts / chainS),
    rows_per_chain_s: Math.round(stats.rows / chainS),
    flushes: stats.flushes,
  };
}

function print(
  { load }: ChainFile,
  { rows, wallS }: Throughput,
  live: Live,
  figures: ReturnType<typeof figuresOf>,
): void {
  console.log(
    `a second of chain: ${SLOTS_PER_CHAIN_S} slots, ${load.transactions} transactions beside ${load.votes} votes, ${load.touching} of them touching launchpad or AMM (${(100 * load.revertedShare).toFixed(1)} % reverted), ${load.transfers} token transfers, ${load.fundings} fundings, ${load.megabytes} MB`,
  );
  console.log(
    `as fast as it goes: ${figures.chain_s} s of chain in ${wallS.toFixed(1)} s: ${figures.ratio} x real time (required: ${BAR})`,
  );
  console.log(
    `processor time of a second of chain, merges included: ours ${figures.our_cpu_s_per_chain_s} s, ClickHouse ${figures.clickhouse_cpu_s_per_chain_s ?? '?'} s`,
  );
  console.table(rows);
  const { feedMs, storeMs, rss } = live;
  console.log(
    `at the chain's pace, ${live.chainS} s: ours ${rounded(live.ourCpuS, 3)} s of processor time a second, ClickHouse ${rounded(live.clickhouseCpuS, 3)} s`,
  );
  console.table({
    'block sent to feed, ms': feedMs,
    [`block sent to store, ms (a flush every ${live.flushIntervalMs} ms)`]: storeMs,
  });
  console.log(
    `resident memory: ${rss.start} MB at the start, ${rss.middle} in the middle, ${rss.end} at the end, ${rss.highest} at most (required: below ${BAR_RSS_MB})`,
  );
}
