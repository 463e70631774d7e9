import { deriveFacts } from '../../facts/derive.ts';
import type { IsOfShare } from '../../facts/wallet-share.ts';
import { createBoundedQueue } from '../../kernel/bounded-queue.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { BlockSource } from '../../sources/source.ts';
import type { DiskGuard } from '../../store/clickhouse/write/disk-guard.ts';
import type { BatchSink, IngestStore } from '../ingest-store.ts';
import { createHoleFiller, type LateSource } from '../late/hole-filler.ts';
import { createHoles } from '../late/holes.ts';
import { createLateBlocks } from '../late/late-blocks.ts';
import { foldOlderHoldings } from '../late/older-holdings.ts';
import { createRefolder } from '../late/refold.ts';
import { createStaleMints } from '../late/stale-mints.ts';
import type { IngestStats } from '../report/stats.ts';
import { type DerivedStep, deriveSteps } from './derive-stage.ts';
import { createDiskPause } from './disk-pause.ts';
import { createFlushProgress } from './flush-progress.ts';
import { type FlushItem, flushConfirmed } from './flush-stage.ts';
import { createFlushWindow } from './flush-window.ts';
import { createFoldStage } from './fold-stage.ts';
import { createRecentWallets } from './recent-wallets.ts';
import { createTradedMints } from './traded-mints.ts';

/**
 * The stages of one run, with the queues between them and what they share:
 * derive → fold → flush, and beside the folding the filling of holes and the
 * folding again. Each runs until what it lives on ends.
 */
export interface IngestLine {
  derive(signal: AbortSignal): Promise<void>;
  fold(): Promise<void>;
  flush(): Promise<void>;
  fillHoles(signal: AbortSignal): Promise<void>;
  /** Has the holdings of a store from before folded out of what it has. */
  foldOlder(signal: AbortSignal): Promise<void>;
  foldAgain(signal: AbortSignal): Promise<void>;
  /** Lets the folding again end once nothing is stale. */
  noMoreMarks(): void;
  /** Lets the flushing end once everything is written. */
  noMoreItems(): void;
  /** Drops what waits, and takes no more. */
  abandon(): void;
}

export async function assembleLine(options: PipelineOptions, limits: PipelineLimits): Promise<IngestLine> {
  const { source, store, sink, stats, clock, lateSource, isOfShare, derive = deriveFacts } = options;
  const derived = createBoundedQueue<DerivedStep>(limits.maxDerivedBlocks);
  const waiting = createBoundedQueue<FlushItem>(limits.maxWaitingBatches);
  const window = createFlushWindow({ clock, intervalMs: limits.flushIntervalMs, enoughRows: limits.enoughRows });
  const recentWallets = createRecentWallets({ capacity: limits.positionCapacity });
  const tradedMints = createTradedMints(store);
  const stale = createStaleMints(await store.readStale());
  const progress = createFlushProgress();
  const disk = createDiskPause({ guard: options.disk, stats, clock });
  const shared = {
    store,
    sink,
    stats,
    clock,
    recentWallets,
    tradedMints,
    stale,
    progress,
    derived,
    waiting,
    window,
    disk,
    derive,
  };
  stats.watch({ waiting: () => ({ queuedBlocks: derived.size, heldBatches: waiting.size }) });
  const fold = createFoldStage({
    ...shared,
    groupSize: limits.maxWaitingBatches,
    maxUnconfirmedBlocks: limits.maxUnconfirmedBlocks,
  });
  /** Live blocks go first: late ones wait while any stage is behind. */
  const busy = () =>
    disk.low || derived.size === limits.maxDerivedBlocks || waiting.size > limits.maxWaitingBatches / 2;

  const late = createLateBlocks({ store, stale, tradedMints, sink, stats, clock, derive });
  const filler = lateSource && createHoleFiller({ ...shared, from: lateSource, holes: createHoles(), late, busy });
  const isEarly = () => busy() || filler?.filling === true;
  const { refoldDelayMs: delayMs, refoldWallets: maxWallets } = limits;
  const refolder = createRefolder({ ...shared, live: fold, delayMs, maxWallets, isOfShare, isEarly });

  return {
    derive: (signal) => deriveSteps({ ...shared, source }, signal),
    fold: () => fold.run(),
    flush: () => flushConfirmed({ ...shared, limit: limits.maxWaitingBatches }),
    fillHoles: async (signal) => filler?.run(signal),
    foldOlder: (signal) => foldOlderHoldings({ ...shared, busy }, signal),
    foldAgain: (signal) => refolder.run(signal),
    noMoreMarks: () => stale.close(),
    noMoreItems() {
      waiting.close();
      window.hurry();
    },
    abandon() {
      for (const queue of [derived, waiting]) {
        queue.close();
        queue.drain(queue.size);
      }
      window.hurry();
    },
  };
}

export interface PipelineOptions {
  readonly source: BlockSource;
  readonly store: IngestStore;
  readonly sink: BatchSink;
  readonly stats: IngestStats;
  readonly clock: Clock;
  /** Reader for the blocks of holes; undefined leaves holes alone: the source is no chain that goes on. */
  readonly lateSource?: LateSource | undefined;
  /** Undefined never pauses. */
  readonly disk?: DiskGuard | undefined;
  readonly limits?: Partial<PipelineLimits>;
  /** Derives the facts of a block in place of the rules alone. */
  readonly derive?: typeof deriveFacts;
  /** Tells which wallets of a mint that has very many are folded again together, in place of a rule that nobody knows. */
  readonly isOfShare?: IsOfShare | undefined;
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
  /** Wallets kept in memory, each with its positions in a mint. */
  readonly positionCapacity: number;
  /** Waited before mints are folded again, so that those marked over and over are folded once. */
  readonly refoldDelayMs: number;
  /** Wallets of a mint that are held at most while it is folded again. */
  readonly refoldWallets: number;
}
