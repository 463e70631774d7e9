import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFeed } from '../../src/feed/in-process.ts';
import { MAX_UNCOMMITTED_BATCHES } from '../../src/ingest/live/pipeline.ts';
import type { IngestSnapshot } from '../../src/ingest/report/stats.ts';
import { startIngestThread } from '../../src/ingest/thread.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { FACT_TABLES } from '../../src/store/clickhouse/schema/tables.ts';
import { openStore, type Store } from '../../src/store/clickhouse/store.ts';
import { childrenCpuS, ownCpuS } from './cpu-time.ts';

/** Merges of the parts that ingest wrote belong to its cost; they are waited for, at most so long. */
const SETTLE_TIMEOUT_MS = 15_000;
const SETTLE_POLL_MS = 250;
/** Looks in a row without a merge that count as settled. */
const SETTLED_LOOKS = 4;

export interface Throughput {
  readonly stats: IngestSnapshot;
  /** Until the store answers for the last slot. */
  readonly wallS: number;
  readonly ourCpuS: number;
  readonly clickhouseCpuS: number | undefined;
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Plays a file of blocks through the thread that the service runs into an embedded store of its own, as fast as it goes. */
export async function measureThroughput(path: string): Promise<Throughput> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-ingest-'));
  const log = createLogger('error');
  const store = await openStore({ url: undefined, dataDir, log, clock: systemClock });
  try {
    const ingest = await startIngestThread({
      worker: {
        source: { kind: 'replay', path },
        store: { connection: store.connection, dataDir },
        logLevel: 'error',
      },
      feed: createFeed({ maxHeldBatches: MAX_UNCOMMITTED_BATCHES }),
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
    const clickhouseCpuS =
      clickhouseAfter === undefined || clickhouseBefore === undefined ? undefined : clickhouseAfter - clickhouseBefore;
    return { stats: ingest.stats(), wallS, ourCpuS, clickhouseCpuS, rows };
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
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
