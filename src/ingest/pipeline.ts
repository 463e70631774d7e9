import { deriveFacts } from '../facts/derive.ts';
import { createBoundedQueue } from '../kernel/bounded-queue.ts';
import type { Clock } from '../kernel/clock.ts';
import type { BlockSource } from '../sources/source.ts';
import type { DiskGuard } from '../store/clickhouse/disk-guard.ts';
import { type DerivedStep, deriveSteps } from './derive-stage.ts';
import { createDiskPause } from './disk-pause.ts';
import { createFlushProgress } from './flush-progress.ts';
import { type FlushItem, flushConfirmed } from './flush-stage.ts';
import { createFlushWindow } from './flush-window.ts';
import { createFoldStage } from './fold-stage.ts';
import { createHoleFiller, type LateSource } from './hole-filler.ts';
import { createHoles } from './holes.ts';
import type { BatchSink, IngestStore } from './ingest-store.ts';
import { createLateBlocks } from './late-blocks.ts';
import { createPositionLedger } from './position-ledger.ts';
import { createRefolder } from './refold.ts';
import { createStaleMints } from './stale-mints.ts';
import type { IngestStats } from './stats.ts';

export interface PipelineOptions {
  readonly source: BlockSource;
  readonly store: IngestStore;
  readonly sink: BatchSink;
  readonly stats: IngestStats;
  readonly clock: Clock;
  /** Where the blocks of holes come from; undefined leaves holes alone: the source is no chain that goes on. */
  readonly lateSource?: LateSource | undefined;
  /** Undefined never pauses. */
  readonly disk?: DiskGuard | undefined;
  readonly limits?: Partial<PipelineLimits>;
  /** What a block tells; for tests. */
  readonly derive?: typeof deriveFacts;
}

export interface PipelineLimits {
  /** Between the starts of two flushes at the tip. */
  readonly flushIntervalMs: number;
  /** Rows that are flushed without waiting for the interval. */
  readonly enoughRows: number;
  /** Blocks derived that may wait to be folded. */
  readonly maxDerivedBlocks: number;
  /** Batches confirmed that may wait for a flush; as many again may be in one. */
  readonly maxWaitingBatches: number;
  /** Blocks published that may wait to be confirmed: some 50 s of chain. What comes on top is left out, and is a hole. */
  readonly maxUnconfirmedBlocks: number;
  /** Positions kept in memory. */
  readonly positionCapacity: number;
  /** Waited before mints are folded again, so that those marked over and over are folded once. */
  readonly refoldDelayMs: number;
}

export const DEFAULT_LIMITS: PipelineLimits = {
  flushIntervalMs: 1_000,
  enoughRows: 100_000,
  maxDerivedBlocks: 32,
  maxWaitingBatches: 128,
  maxUnconfirmedBlocks: 128,
  positionCapacity: 200_000,
  refoldDelayMs: 2_000,
};

/** What a feed behind the pipeline has to be able to hold. */
export const MAX_UNCOMMITTED_BATCHES = 2 * DEFAULT_LIMITS.maxWaitingBatches + DEFAULT_LIMITS.maxUnconfirmedBlocks + 1;

/**
 * Blocks become facts, facts become rows, rows go to the feed at once and into
 * the store when they are confirmed. Three stages run side by side, joined by
 * bounded queues: a slow store holds back the folding, that the deriving, and
 * that the source. Beside them holes are filled, and mints whose swaps came out
 * of order are folded again.
 */
export interface Pipeline {
  /**
   * Runs until the source ends or the signal aborts, and resolves when all that
   * was confirmed is in the store. Throws what stops ingest for good.
   */
  run(signal: AbortSignal): Promise<void>;
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { source, store, sink, stats, clock, derive = deriveFacts } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };

  return {
    async run(signal) {
      const failure = new AbortController();
      const stop = AbortSignal.any([signal, failure.signal]);
      const derived = createBoundedQueue<DerivedStep>(limits.maxDerivedBlocks);
      const waiting = createBoundedQueue<FlushItem>(limits.maxWaitingBatches);
      const window = createFlushWindow({ clock, intervalMs: limits.flushIntervalMs, enoughRows: limits.enoughRows });
      const ledger = createPositionLedger({ capacity: limits.positionCapacity });
      const stale = createStaleMints(await store.readStale());
      const progress = createFlushProgress();
      const disk = createDiskPause({ guard: options.disk, stats, clock });
      const shared = { store, sink, stats, clock, ledger, stale, progress, waiting, window };
      const fold = createFoldStage({
        ...shared,
        derived,
        groupSize: limits.maxWaitingBatches,
        maxUnconfirmedBlocks: limits.maxUnconfirmedBlocks,
      });
      const refolder = createRefolder({ ...shared, live: fold, delayMs: limits.refoldDelayMs });
      const noteWaiting = () => stats.waiting(derived.size, waiting.size);

      /** Holes are asked for as long as the source goes on; a run that ends leaves them to the next. */
      async function fillHoles(over: AbortSignal): Promise<void> {
        if (options.lateSource === undefined) return;
        const late = createLateBlocks({ ...shared, derive });
        const busy = () =>
          disk.low || derived.size === limits.maxDerivedBlocks || waiting.size > limits.maxWaitingBatches / 2;
        const holes = createHoles();
        await createHoleFiller({ ...shared, from: options.lateSource, holes, late, busy }).run(over);
      }

      /** Everything that gives the store something, from the source's first step to the last mint folded again. */
      async function produce(): Promise<void> {
        const over = new AbortController();
        const filling = guard(fillHoles(AbortSignal.any([stop, over.signal])));
        const refolding = guard(refolder.run(stop));
        await guard(fold.run());
        over.abort();
        await filling;
        stale.close();
        await refolding;
        waiting.close();
        window.hurry();
      }

      function guard(stage: Promise<void>): Promise<void> {
        return stage.catch((error: unknown) => {
          failure.abort(error);
          // Nothing may go on past the fault: what is not in the store is derived again after a restart.
          for (const queue of [derived, waiting]) {
            queue.close();
            queue.drain(queue.size);
          }
          window.hurry();
        });
      }

      const deriving = deriveSteps({ ...shared, source, disk, derive, derived, noteWaiting }, stop);
      const flushing = flushConfirmed({ ...shared, limit: limits.maxWaitingBatches });
      await Promise.all([guard(deriving), produce(), guard(flushing)]);
      if (failure.signal.aborted) throw failure.signal.reason;
      if (!signal.aborted) stats.ended();
    },
  };
}
