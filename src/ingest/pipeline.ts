import type { deriveFacts } from '../facts/derive.ts';
import type { Clock } from '../kernel/clock.ts';
import type { BlockSource } from '../sources/source.ts';
import type { DiskGuard } from '../store/clickhouse/disk-guard.ts';
import type { LateSource } from './hole-filler.ts';
import { assembleLine } from './ingest-line.ts';
import type { BatchSink, IngestStore } from './ingest-store.ts';
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
  /** What a block tells, when not by the rules alone. */
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
  const limits = { ...DEFAULT_LIMITS, ...options.limits };

  return {
    async run(signal) {
      const line = await assembleLine(options, limits);
      const failure = new AbortController();
      const stop = AbortSignal.any([signal, failure.signal]);
      const guarded = (stage: Promise<void>): Promise<void> =>
        stage.catch((error: unknown) => {
          failure.abort(error);
          // Nothing may go on past the fault: what is not in the store is derived again after a restart.
          line.abandon();
        });

      /** What comes gives the store something to the last mint folded again; holes are left to the next run. */
      async function fold(): Promise<void> {
        const noMoreSteps = new AbortController();
        const filling = guarded(line.fillHoles(AbortSignal.any([stop, noMoreSteps.signal])));
        const refolding = guarded(line.foldAgain(stop));
        await guarded(line.fold());
        noMoreSteps.abort();
        await filling;
        line.noMoreMarks();
        await refolding;
        line.noMoreItems();
      }

      await Promise.all([guarded(line.derive(stop)), fold(), guarded(line.flush())]);
      if (failure.signal.aborted) throw failure.signal.reason;
      if (!signal.aborted) options.stats.ended();
    },
  };
}
