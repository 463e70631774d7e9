import { MAX_HELD_WALLETS } from '../../facts/fold-mints.ts';
import { assembleLine, type PipelineLimits, type PipelineOptions } from './ingest-line.ts';

export const DEFAULT_LIMITS: PipelineLimits = {
  flushIntervalMs: 1_000,
  enoughRows: 100_000,
  maxDerivedBlocks: 32,
  maxWaitingBatches: 128,
  maxUnconfirmedBlocks: 128,
  positionCapacity: 200_000,
  refoldDelayMs: 2_000,
  refoldWallets: MAX_HELD_WALLETS,
};

/** Batches that a feed behind the pipeline has to be able to hold. */
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

      /**
       * Folds the steps to their end, then mints to the last one that is to be folded again; holes are left to the next
       * run.
       */
      async function fold(): Promise<void> {
        const noMoreSteps = new AbortController();
        const besides = AbortSignal.any([stop, noMoreSteps.signal]);
        const filling = [guarded(line.fillHoles(besides)), guarded(line.foldOlder(besides))];
        const refolding = guarded(line.foldAgain(stop));
        await guarded(line.fold());
        noMoreSteps.abort();
        await Promise.all(filling);
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
