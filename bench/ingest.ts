import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFeed } from '../src/feed/in-process.ts';
import { MAX_UNCOMMITTED_BATCHES } from '../src/ingest/pipeline.ts';
import type { IngestSnapshot } from '../src/ingest/stats.ts';
import { startIngestThread } from '../src/ingest/thread.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createLogger } from '../src/kernel/log.ts';
import { openStore, type Store } from '../src/store/clickhouse/store.ts';
import { FACT_TABLES } from '../src/store/clickhouse/tables.ts';
import { provideChainFile } from './ingest/chain-file.ts';
import { childrenCpuS, ownCpuS } from './ingest/cpu-time.ts';

/**
 * Simulated mainnet, Yellowstone bytes to queryable rows, by the thread that
 * the service runs, into the embedded store: how many seconds of chain a second.
 * The baseline is real time, one. The first run makes the chain's file, which
 * takes minutes; the others take seconds.
 */
const BAR = 1;
const SLOTS = 300;
const SLOTS_PER_CHAIN_S = 5;
/** Merges of the parts that ingest wrote belong to its cost; they are waited for, at most so long. */
const SETTLE_TIMEOUT_MS = 15_000;
const SETTLE_POLL_MS = 250;
/** Looks in a row without a merge that count as settled. */
const SETTLED_LOOKS = 4;

interface Measured {
  readonly stats: IngestSnapshot;
  readonly wallS: number;
  readonly ourCpuS: number;
  readonly clickhouseCpuS: number | undefined;
  readonly rows: Readonly<Record<string, number>>;
}

export async function run(): Promise<Readonly<Record<string, unknown>>> {
  const { path, makingS } = await provideChainFile(SLOTS);
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-ingest-'));
  const store = await openStore({ url: undefined, dataDir, log: createLogger('error'), clock: systemClock });
  try {
    return report(await measure(store, dataDir, path), makingS);
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(store: Store, dataDir: string, path: string): Promise<Measured> {
  const feed = createFeed({ maxHeldBatches: MAX_UNCOMMITTED_BATCHES });
  const log = createLogger('error');
  const ingest = await startIngestThread({
    worker: {
      source: { kind: 'replay', path },
      store: { connection: store.connection, dataDir },
      logLevel: 'error',
    },
    feed,
    clock: systemClock,
    log,
  });
  // From here on: loading the thread's code is not part of it.
  const ourCpuBefore = ownCpuS();
  const clickhouseBefore = childrenCpuS();
  const startedAt = performance.now();
  await ingest.finished;
  const rows = await countRows(store);
  const wallS = (performance.now() - startedAt) / 1_000;
  const ourCpuS = ownCpuS() - ourCpuBefore;
  await settle(store);
  const clickhouseAfter = childrenCpuS();
  return {
    stats: ingest.stats(),
    wallS,
    ourCpuS,
    clickhouseCpuS:
      clickhouseAfter === undefined || clickhouseBefore === undefined ? undefined : clickhouseAfter - clickhouseBefore,
    rows,
  };
}

/** The rows must answer, or they are not queryable. */
async function countRows({ client }: Store): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const { name } of FACT_TABLES) {
    const answer = await client.query({ query: `SELECT count() AS rows FROM ${name}`, format: 'JSONEachRow' });
    rows[name] = Number((await answer.json<{ rows: string }>())[0]?.rows);
  }
  return rows;
}

async function settle({ client }: Store): Promise<void> {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  for (let quiet = 0; quiet < SETTLED_LOOKS && performance.now() < deadline; quiet += 1) {
    const answer = await client.query({ query: 'SELECT count() AS merges FROM system.merges', format: 'JSONEachRow' });
    if (Number((await answer.json<{ merges: string }>())[0]?.merges) > 0) quiet = 0;
    await systemClock.sleep(SETTLE_POLL_MS);
  }
}

function report(measured: Measured, makingS: number | undefined): Readonly<Record<string, unknown>> {
  const { stats, wallS, ourCpuS, clickhouseCpuS, rows } = measured;
  const chainS = SLOTS / SLOTS_PER_CHAIN_S;
  const perChainSecond = (value: number) => Math.round((value / chainS) * 1_000) / 1_000;
  const ratio = Math.round((chainS / wallS) * 100) / 100;
  if (rows.swaps !== stats.facts.swaps || rows.attempts !== stats.facts.attempts) {
    throw new Error(
      `derived ${stats.facts.swaps} swaps and ${stats.facts.attempts} attempts, stored ${JSON.stringify(rows)}`,
    );
  }
  console.log(`simulated mainnet, ${chainS} s of chain in ${wallS.toFixed(1)} s: ${ratio} x real time (baseline: 1)`);
  console.log(
    `a second of chain: ${perChainSecond(stats.transactions)} transactions beside votes, ${perChainSecond(stats.facts.swaps)} swaps, ${perChainSecond(stats.facts.attempts)} attempts, ${perChainSecond(stats.facts.transfers)} transfers`,
  );
  console.log(
    `its processor time, merges included: ours ${perChainSecond(ourCpuS)} s${clickhouseCpuS === undefined ? '' : `, ClickHouse ${perChainSecond(clickhouseCpuS)} s`}`,
  );
  console.table(rows);
  return {
    bench: 'ingest',
    ratio,
    bar: BAR,
    chain_s: chainS,
    wall_s: Math.round(wallS * 100) / 100,
    cores: availableParallelism(),
    our_cpu_s_per_chain_s: perChainSecond(ourCpuS),
    ...(clickhouseCpuS === undefined ? {} : { clickhouse_cpu_s_per_chain_s: perChainSecond(clickhouseCpuS) }),
    transactions_per_chain_s: perChainSecond(stats.transactions),
    swaps_per_chain_s: perChainSecond(stats.facts.swaps),
    attempts_per_chain_s: perChainSecond(stats.facts.attempts),
    transfers_per_chain_s: perChainSecond(stats.facts.transfers),
    rows_per_chain_s: perChainSecond(stats.rows),
    flushes: stats.flushes,
    ...(makingS === undefined ? {} : { making_the_chain_s: Math.round(makingS) }),
  };
}
