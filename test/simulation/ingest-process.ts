import { createFeed } from '../../src/feed/in-process.ts';
import { startIngestThread } from '../../src/ingest/thread.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';

/**
 * A service with nothing but a store and ingest, to be killed: plays a file of
 * blocks into a data folder, writes a line for each commit, and ends with it.
 */
const [dataDir = '', path = ''] = process.argv.slice(2);
const log = createLogger('warn');
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const store = await openStore({ url: undefined, dataDir, log, clock: systemClock });
const feed = createFeed({ maxHeldBatches: 64 });
const ingest = await startIngestThread({
  worker: {
    source: { kind: 'replay', path },
    store: { connection: store.connection, dataDir },
    logLevel: 'warn',
    // Small, so that a short chain takes many flushes, and positions are read back from the store.
    limits: { flushIntervalMs: 20, maxDerivedBlocks: 4, maxWaitingBatches: 8, positionCapacity: 20 },
  },
  feed: {
    ...feed,
    commit(slot, batches) {
      feed.commit(slot, batches);
      tell({ committed: feed.committedSlot, held: feed.held });
    },
  },
  clock: systemClock,
  log,
});
await ingest.finished;
tell({ finished: ingest.stats() });
await store.close();
