import type { Config } from '../config.ts';
import type { InProcessFeed } from '../feed/in-process.ts';
import { createFundingLookup } from '../hydration/funding-lookup.ts';
import { createHydrator } from '../hydration/hydrator.ts';
import type { Clock } from '../kernel/clock.ts';
import { silentJournal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { runFill } from '../store/clickhouse/derived/fill.ts';
import { runFillSums } from '../store/clickhouse/derived/fill-sums.ts';
import { runSweep } from '../store/clickhouse/derived/sweep.ts';
import { SWEPT_TABLES } from '../store/clickhouse/derived/swept-tables.ts';
import type { WriterFence } from '../store/clickhouse/write/writer-fence.ts';
import { learnStoredQuotes } from '../token/learned-quotes-reads.ts';

export interface BackgroundDeps {
  readonly client: StoreClient;
  /** Of the store's lease; undefined where nobody else can write. */
  readonly fence?: WriterFence | undefined;
  /** Undefined when there is no chain to ask. */
  readonly rpc: RpcClient | undefined;
  readonly feed: Pick<InProcessFeed, 'changed'>;
  /** False while what the first visitors ask for is still being read. */
  readonly isWarm: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Background {
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
}

/** Between two looks whether the service is warm, and how long is waited for it at most: a store may not be read at all. */
const LOOK_MS = 100;
const MAX_WAIT_MS = 60_000;

/**
 * Starts the work beside ingest: tables of an older store filled in, sweeps over the store, and questions to the chain about what was there before us. It
 * waits for the network and the store nearly all its time, so it shares the thread of the API. What goes through the store
 * waits until the service is warm: beside it the first answers would come minutes later.
 */
export function startBackground(
  config: Config,
  { client, fence, rpc, feed, isWarm, clock, log }: BackgroundDeps,
): Background {
  const stopping = new AbortController();
  const { signal } = stopping;
  const passes = async () => {
    for (let waited = 0; !isWarm() && waited < MAX_WAIT_MS && !signal.aborted; waited += LOOK_MS) {
      await clock.sleep(LOOK_MS, signal);
    }
    await Promise.all([
      runFill(client, { clock, log, signal, fence }),
      runFillSums(client, { clock, log, signal, fence }),
      ...SWEPT_TABLES.map((table) => runSweep(client, table, { clock, log, signal })),
    ]);
  };
  const work = [
    passes(),
    learnStoredQuotes(client).catch((error: unknown) => {
      log.warn({ err: String(error) }, 'symbols of quotes could not be read: rows leave them out');
    }),
  ];
  if (rpc !== undefined) {
    const changed = feed.changed.bind(feed);
    const stored = () => learnStoredQuotes(client);
    work.push(createHydrator({ client, rpc, clock, log, stored, changed }).run(signal));
    if (config.fundingLookups) {
      work.push(createFundingLookup({ client, rpc, clock, log, journal: silentJournal }).run(signal));
    }
  }
  return {
    async stop() {
      stopping.abort();
      await Promise.allSettled(work);
    },
  };
}
