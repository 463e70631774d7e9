import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFeed } from '../../src/feed/in-process.ts';
import { MAX_UNCOMMITTED_BATCHES } from '../../src/ingest/live/pipeline.ts';
import { startIngestThread } from '../../src/ingest/thread.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import { childrenCpuS, ownCpuS } from './cpu-time.ts';
import type { FromLiveProcess } from './live.ts';

/** A service's ingest in a process of its own, following a Yellowstone server until told to stop. */

/** Milliseconds between two looks at the memory. */
const RSS_EVERY_MS = 1_000;

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: live-process <url of a Yellowstone server>');
const tell = (message: FromLiveProcess) => process.send?.(message);
const now = () => performance.timeOrigin + performance.now();
const stopped = new Promise((resolve) => process.once('message', resolve));

const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-live-'));
const log = createLogger('error');
const store = await openStore({ url: undefined, dataDir, log, clock: systemClock });
try {
  const feed = createFeed({ maxHeldBatches: MAX_UNCOMMITTED_BATCHES });
  feed.subscribe({
    batch: ({ lastSlot }) => tell({ type: 'fed', slot: lastSlot, at: now() }),
    withdrawn() {},
    changed() {},
  });
  const ingest = await startIngestThread({
    worker: {
      source: { kind: 'yellowstone', url, token: undefined },
      store: { connection: store.connection, dataDir },
      // The chain's time is not the wall clock's, and the thread would call that a lag.
      logLevel: 'silent',
    },
    feed: {
      ...feed,
      commit(slot, batches) {
        tell({ type: 'stored', slot, at: now() });
        feed.commit(slot, batches);
      },
    },
    clock: systemClock,
    log,
  });
  const cpuBefore = { ours: ownCpuS(), clickhouse: childrenCpuS() ?? 0 };
  const timer = setInterval(() => tell({ type: 'rss', bytes: process.memoryUsage.rss() }), RSS_EVERY_MS);
  await stopped;
  clearInterval(timer);
  tell({
    type: 'end',
    ourCpuS: ownCpuS() - cpuBefore.ours,
    clickhouseCpuS: (childrenCpuS() ?? 0) - cpuBefore.clickhouse,
  });
  await ingest.stop();
} finally {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}
process.disconnect();
