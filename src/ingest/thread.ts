import { Worker } from 'node:worker_threads';
import type { InProcessFeed } from '../feed/in-process.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { type ErrorText, type FromWorker, type ToWorker, toErrorText, unpackBatch } from './messages.ts';
import type { IngestSnapshot } from './report/stats.ts';
import type { WorkerOptions } from './worker.ts';

export interface IngestThreadOptions {
  /** Crosses threads, so plain data alone. */
  readonly worker: WorkerOptions;
  readonly feed: Pick<InProcessFeed, 'publish' | 'commit' | 'withdraw' | 'changed'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface IngestThread {
  /** The newest figures. They come about twice a second; while none do, the blocks in them grow older all the same. */
  stats(): IngestSnapshot;
  /** Resolves when ingest has ended or was stopped; rejects with {@link IngestFailed} when it broke. */
  readonly finished: Promise<void>;
  /** Resolves when all that was in hand is in the store and the thread has ended, or was ended. */
  stop(): Promise<void>;
}

/** Ingest broke for good. The message is that of the fault in the thread, and so is the stack. */
export class IngestFailed extends Error {
  override readonly name = 'IngestFailed';

  constructor({ name, message, stack }: ErrorText) {
    super(`ingest failed: ${name}: ${message}`);
    if (stack !== undefined) this.stack = stack;
  }
}

/** Within this a stop is orderly; then the thread is ended, and a restart goes on from the store. */
const STOP_TIMEOUT_MS = 4_000;
/**
 * A block's objects die within a few blocks, which is just longer than the young
 * generation's usual 48 MB last behind the tip: twice that halves what the
 * collector copies, and more gains nothing.
 */
const YOUNG_GENERATION_MB = 96;

/**
 * Runs source, derivation and writing in a thread of their own, and feeds what
 * they make into `feed`. Resolves when the thread has reached the store.
 *
 * @throws {IngestFailed} when the thread breaks before that.
 */
export async function startIngestThread({
  worker: options,
  feed,
  clock,
  log,
}: IngestThreadOptions): Promise<IngestThread> {
  const thread = new Worker(workerUrl(), {
    name: 'ingest',
    workerData: options,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  let snapshot: IngestSnapshot | undefined;
  let toldAt = 0;
  let failure: IngestFailed | undefined;
  let markStarted: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });
  const tell = (message: ToWorker) => thread.postMessage(message);

  const take = (stats: IngestSnapshot) => {
    snapshot = stats;
    toldAt = clock.elapsed();
  };

  const receive = (message: FromWorker) => {
    switch (message.type) {
      case 'batch':
        feed.publish(unpackBatch(message.batch));
        tell({ type: 'taken', batches: 1 });
        break;
      case 'commit':
        feed.commit(message.slot, message.batches);
        break;
      case 'withdraw':
        feed.withdraw(message.slot);
        break;
      case 'changed':
        feed.changed(message.mints, message.slots);
        break;
      case 'failed':
        failure ??= new IngestFailed(message.error);
        break;
      case 'started':
        feed.commit(message.committedSlot, 0);
        take(message.stats);
        markStarted();
        break;
      case 'stats':
      case 'finished':
        take(message.stats);
    }
  };
  thread.on('message', (message: FromWorker) => {
    if (failure !== undefined) return;
    try {
      receive(message);
    } catch (error) {
      // A listener of the feed broke: books would be wrong from here on, so ingest must not go on.
      failure ??= new IngestFailed(toErrorText(error));
      void thread.terminate();
    }
  });
  thread.on('error', (error) => {
    failure ??= new IngestFailed(toErrorText(error));
  });

  let stopping = false;
  const finished = new Promise<void>((resolve, reject) => {
    thread.on('exit', (code) => {
      if (failure === undefined && code !== 0 && !stopping) {
        failure = new IngestFailed({ name: 'Exit', message: `the thread ended with code ${code}`, stack: undefined });
      }
      if (failure === undefined) resolve();
      else reject(failure);
    });
  });
  await Promise.race([started, finished]);
  // Whoever awaits it sees the rejection; until then it must not count as unhandled.
  finished.catch(() => {});

  return {
    stats() {
      if (snapshot === undefined) throw new Error('ingest ended before it began');
      const { lagMs } = snapshot;
      return lagMs === undefined ? snapshot : { ...snapshot, lagMs: lagMs + clock.elapsed() - toldAt };
    },
    finished,
    async stop() {
      stopping = true;
      tell({ type: 'stop' });
      const patience = new AbortController();
      const late = clock.sleep(STOP_TIMEOUT_MS, patience.signal).then(() => !patience.signal.aborted);
      const ended = finished.then(
        () => false,
        () => false,
      );
      if (await Promise.race([ended, late])) {
        log.warn({ timeout_ms: STOP_TIMEOUT_MS }, 'ingest did not stop in time; a restart goes on from the store');
        await thread.terminate();
      }
      patience.abort();
    },
  };
}

/** Compiled, the worker is a .js beside this file. Run from source, it is a .ts that needs a loader first. */
function workerUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker-from-source.mjs' : './worker.js', import.meta.url);
}
