import { DEFAULT_BOOK_LIMITS } from '../../src/books/book-limits.ts';
import { createFeed, type InProcessFeed } from '../../src/feed/in-process.ts';
import type { LateSource } from '../../src/ingest/late/hole-filler.ts';
import { createPipeline, MAX_UNCOMMITTED_BATCHES } from '../../src/ingest/live/pipeline.ts';
import { openIngestStore } from '../../src/ingest/open-ingest-store.ts';
import { createIngestStats, type IngestStats } from '../../src/ingest/report/stats.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import type { Logger } from '../../src/kernel/log.ts';
import { createRpcClient } from '../../src/sources/json-rpc.ts';
import { createRpcSource } from '../../src/sources/rpc.ts';
import { readRpcRange } from '../../src/sources/rpc-range.ts';
import type { Commitment } from '../../src/sources/source.ts';
import { createYellowstoneSource } from '../../src/sources/yellowstone.ts';
import { openStore, type Store } from '../../src/store/clickhouse/store.ts';
import { type ClosableTokenBooks, createBookReads, openTokenBooks } from '../support/token-books.ts';
import { type FeedMirror, mirrorFeed } from './feed-mirror.ts';
import { type SeverableProxy, startSeverableProxy } from './severable-proxy.ts';

/** One run of ingest, from its start until it is stopped or killed. */
export interface ServiceLife {
  readonly store: Store;
  readonly feed: InProcessFeed;
  readonly mirror: FeedMirror;
  readonly stats: IngestStats;
  readonly books: ClosableTokenBooks;
  /** The error that broke ingest by itself; undefined while it runs. */
  readonly fault: unknown;
  /** In order: all that was in hand is in the store. */
  stop(): Promise<void>;
  /** The way to the store is cut from one moment to the next, and nothing is put in order. */
  kill(): Promise<void>;
  /** The same so many bytes on, in the middle of what is sent; undefined lets the next insert through and hides its answer. */
  killInInsert(bytes: number | undefined): Promise<void>;
  /**
   * The same as `kill`, once so many inserts of flushes have gone through: with half of the next one sent, or with all
   * of it in the store and its answer on the way. Resolves with whether an insert came.
   */
  killAtInsert(inserts: number, what: 'cut' | 'hide'): Promise<boolean>;
  /** Stands still before such an insert, or with half of it sent, and hears nothing of its stream either. Resolves likewise. */
  freezeAtInsert(inserts: number, what: 'hold' | 'holdHalf'): Promise<boolean>;
  /** Goes on where it stood still. */
  thaw(): void;
  /** The store cannot be reached for so long, real milliseconds. */
  losesStoreFor(ms: number): void;
}

export interface ServiceOptions {
  readonly source: 'yellowstone' | 'rpc';
  readonly commitment: Commitment;
  readonly streamUrl: string;
  readonly rpcUrl: string;
  /** Of the ClickHouse behind: the database's own URL, credentials included. */
  readonly storeUrl: string;
  readonly dataDir: string;
  /** Runs fast: every wait of the service is measured with it. */
  readonly clock: Clock;
  /** Stands still: answers about the last minutes are then comparable. */
  readonly bookClock: Clock;
  readonly log: Logger;
}

/** Small, so that short chains take many flushes, and positions are read back from the store. */
const LIMITS = { flushIntervalMs: 3_000, maxDerivedBlocks: 4, maxWaitingBatches: 16, positionCapacity: 20 };
/** Scaled milliseconds: a slow machine is no stream without blocks. */
const BLOCKLESS_MS = 160_000;
/** Real milliseconds: sockets know no other clock. */
const SILENCE_MS = 1_500;
const CALL_TIMEOUT_MS = 1_000;
/** Scaled milliseconds that an orderly stop may take. */
const CLOSE_TIMEOUT_MS = 30_000;
/** Real ones that a cut or a freeze waits for an insert, should none come. */
const INSERT_TIMEOUT_MS = 400;
/** The same where the whole run is about that flush. */
const FLUSH_TIMEOUT_MS = 30_000;
const MAX_STARTS = 20;
const START_AGAIN_MS = 250;

/** As whoever supervises a service does: one that does not come up is started again. */
export async function startPatiently(options: ServiceOptions): Promise<ServiceLife> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startLife(options);
    } catch (error) {
      if (tries >= MAX_STARTS) throw error;
      await systemClock.sleep(START_AGAIN_MS);
    }
  }
}

/** Starts ingest as the service does, in this process, over a wire to the store that can be cut. */
async function startLife(options: ServiceOptions): Promise<ServiceLife> {
  const { clock, log, dataDir } = options;
  const behind = new URL(options.storeUrl);
  const wire = await startSeverableProxy(Number(behind.port));
  behind.port = String(wire.port);
  const stream = await startSeverableProxy(Number(new URL(options.streamUrl).port));
  let store: Store | undefined;
  try {
    store = await openStore({ url: behind.href, dataDir, log, clock });
    return await startIngest(options, store, { wire, stream });
  } catch (error) {
    await store?.close();
    await wire.close();
    await stream.close();
    throw error;
  }
}

interface Wires {
  /** To the store. */
  readonly wire: SeverableProxy;
  /** From the node's stream. */
  readonly stream: SeverableProxy;
}

async function startIngest(options: ServiceOptions, store: Store, { wire, stream }: Wires): Promise<ServiceLife> {
  const { clock, log, dataDir } = options;
  const target = await openIngestStore({ connection: store.connection, dataDir, lease: store.lease }, { clock, log });
  const stats = createIngestStats({ source: options.source, committedSlot: target.committedSlot, clock, log });
  const { journal } = stats;
  const { commitment } = options;
  const url = `http://127.0.0.1:${stream.port}`;
  const tools = { clock, log, journal, heldHash: target.blockhashAt };
  const times = { silenceMs: SILENCE_MS, blocklessMs: BLOCKLESS_MS };
  const rpc = createRpcClient({ url: options.rpcUrl, clock, log, timeoutMs: CALL_TIMEOUT_MS });
  const source =
    options.source === 'rpc'
      ? createRpcSource({ url: options.rpcUrl, rpc, ...tools })
      : createYellowstoneSource({ url, token: undefined, commitment, ...times, ...tools });
  const client = rpc.patient();
  const lateSource: LateSource = { read: (range, signal) => readRpcRange({ client, ...tools }, range, signal) };
  const feed = createFeed({ maxHeldBatches: MAX_UNCOMMITTED_BATCHES });
  feed.commit(target.committedSlot, 0);
  const mirror = mirrorFeed(feed);
  const reads = createBookReads(store.client);
  const books = openTokenBooks({ reads, feed, clock: options.bookClock, limits: DEFAULT_BOOK_LIMITS });
  const pipeline = createPipeline({ source, store: target, sink: feed, stats, clock, lateSource, limits: LIMITS });
  const stopping = new AbortController();
  let outage: NodeJS.Timeout | undefined;
  let fault: unknown;
  const run = pipeline.run(stopping.signal).catch((error: unknown) => {
    fault = error ?? new Error('ingest broke');
  });

  let closing: Promise<void> | undefined;
  async function close(timeoutMs: number): Promise<void> {
    closing ??= closeAll(timeoutMs);
    return closing;
  }

  async function closeAll(timeoutMs: number): Promise<void> {
    stopping.abort();
    if (timeoutMs > 0) await run;
    books.close();
    await target.close(timeoutMs);
    await run;
    await store.close();
    await wire.close();
    await stream.close();
  }

  /** True when that came to pass before an insert was waited for in vain. */
  function inTime(happens: Promise<void>, timeoutMs = INSERT_TIMEOUT_MS): Promise<boolean> {
    const late = systemClock.sleep(timeoutMs).then(() => false);
    return Promise.race([happens.then(() => true), late]);
  }

  async function kill(): Promise<void> {
    // Nothing of a killed process reaches the store any more, whatever its outage had left to run.
    clearTimeout(outage);
    wire.sever();
    await close(0);
  }

  return {
    store,
    feed,
    mirror,
    stats,
    books,
    get fault() {
      return fault;
    },
    stop: () => close(CLOSE_TIMEOUT_MS),
    kill,
    async killInInsert(bytes) {
      const cut = bytes === undefined ? wire.severAtInsertAnswer() : wire.severAfter(bytes);
      await inTime(cut);
      await kill();
    },
    async killAtInsert(inserts, what) {
      const met = await inTime(wire.atFlushInsert(inserts, what), FLUSH_TIMEOUT_MS);
      await kill();
      return met;
    },
    async freezeAtInsert(inserts, what) {
      const met = await inTime(wire.atFlushInsert(inserts, what), FLUSH_TIMEOUT_MS);
      wire.freeze();
      stream.sever();
      return met;
    },
    thaw: wire.thaw,
    losesStoreFor(ms) {
      clearTimeout(outage);
      wire.sever();
      outage = setTimeout(() => wire.mend(), ms);
    },
  };
}
