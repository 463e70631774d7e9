import { deriveFacts } from '../facts/derive.ts';
import type { BlockFacts } from '../facts/fact.ts';
import { type BoundedQueue, createBoundedQueue } from '../kernel/bounded-queue.ts';
import type { Clock } from '../kernel/clock.ts';
import { type BlockSource, confirmedBlocks } from '../sources/source.ts';
import { toRowBatch } from '../store/clickhouse/fact-rows.ts';
import { toPositionRow } from '../store/clickhouse/position-rows.ts';
import type { RowBatch } from '../store/clickhouse/row-batch.ts';
import { createFlushWindow, type FlushWindow } from './flush-window.ts';
import type { BatchSink, IngestStore } from './ingest-store.ts';
import { createPositionLedger, type PositionLedger } from './position-ledger.ts';
import type { IngestStats } from './stats.ts';

export interface PipelineOptions {
  readonly source: BlockSource;
  readonly store: IngestStore;
  readonly sink: BatchSink;
  readonly stats: IngestStats;
  readonly clock: Clock;
  readonly limits?: Partial<PipelineLimits>;
}

export interface PipelineLimits {
  /** Between the starts of two flushes at the tip. */
  readonly flushIntervalMs: number;
  /** Rows that are flushed without waiting for the interval. */
  readonly enoughRows: number;
  /** Blocks derived that may wait to be folded. */
  readonly maxDerivedBlocks: number;
  /** Batches published that may wait for a flush; as many again may be in one. */
  readonly maxWaitingBatches: number;
  /** Positions kept in memory. */
  readonly positionCapacity: number;
}

export const DEFAULT_LIMITS: PipelineLimits = {
  flushIntervalMs: 1_000,
  enoughRows: 100_000,
  maxDerivedBlocks: 32,
  maxWaitingBatches: 128,
  positionCapacity: 200_000,
};

/** What a feed behind the pipeline has to be able to hold. */
export const MAX_UNCOMMITTED_BATCHES = 2 * DEFAULT_LIMITS.maxWaitingBatches + 1;

/**
 * Blocks become facts, facts become rows, rows go to the feed and then into
 * the store. Three stages run side by side, joined by bounded queues: a slow
 * store holds back the folding, that the deriving, and that the source.
 */
export interface Pipeline {
  /**
   * Runs until the source ends or the signal aborts, and resolves when all that
   * was taken from the source is in the store. Throws what stops ingest for good.
   */
  run(signal: AbortSignal): Promise<void>;
}

export function createPipeline({ source, store, sink, stats, clock, limits }: PipelineOptions): Pipeline {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const ledger = createPositionLedger({ capacity: bounds.positionCapacity });

  return {
    async run(signal) {
      const failure = new AbortController();
      const derived = createBoundedQueue<BlockFacts>(bounds.maxDerivedBlocks);
      const batches = createBoundedQueue<RowBatch>(bounds.maxWaitingBatches);
      const window = createFlushWindow({ clock, intervalMs: bounds.flushIntervalMs, enoughRows: bounds.enoughRows });
      const line: Line = { source, store, sink, clock, stats, ledger, derived, batches, window };
      const stages = [
        deriveBlocks(line, AbortSignal.any([signal, failure.signal])),
        foldBlocks(line, bounds.maxWaitingBatches),
        flushBatches(line, bounds.maxWaitingBatches),
      ].map((stage) =>
        stage.catch((error: unknown) => {
          failure.abort(error);
          // Nothing may go on past the fault: what is not in the store is derived again after a restart.
          derived.close();
          derived.drain(derived.size);
          batches.close();
          batches.drain(batches.size);
          window.hurry();
        }),
      );
      await Promise.all(stages);
      if (failure.signal.aborted) throw failure.signal.reason;
      if (!signal.aborted) stats.ended();
    },
  };
}

/** What the stages share. */
interface Line {
  readonly source: BlockSource;
  readonly store: IngestStore;
  readonly sink: BatchSink;
  readonly clock: Clock;
  readonly stats: IngestStats;
  readonly ledger: PositionLedger;
  readonly derived: BoundedQueue<BlockFacts>;
  readonly batches: BoundedQueue<RowBatch>;
  readonly window: FlushWindow;
}

async function deriveBlocks({ source, store, stats, derived, batches }: Line, signal: AbortSignal): Promise<void> {
  const fromSlot = store.wholeSlot === 0 ? undefined : store.wholeSlot + 1;
  for await (const taken of confirmedBlocks(source, { fromSlot, signal })) {
    const block = taken.whole ? taken : await store.withoutStored(taken);
    if (block !== taken && block.transactions.length === 0) continue;
    const facts = deriveFacts(block, stats.journal);
    stats.derived(block, facts);
    if (!(await derived.push(facts))) break;
    stats.waiting(derived.size, batches.size);
  }
  derived.close();
}

async function foldBlocks(line: Line, groupSize: number): Promise<void> {
  const { store, sink, stats, ledger, derived, batches, window } = line;
  let number = 0;
  while (await derived.ready()) {
    // At the tip that is one block; behind it, all that has gathered: one read of positions for the lot.
    const group = derived.drain(groupSize);
    const read = await loadPositions(ledger, store, group);
    for (const facts of group) {
      number += 1;
      const { changed, dirty } = ledger.fold(facts.swaps, number);
      if (dirty.size > 0) stats.disordered(dirty);
      const batch = toRowBatch(facts, changed.map(toPositionRow));
      await sink.publish(batch);
      if (batches.size + 1 >= groupSize) window.hurry();
      if (!(await batches.push(batch))) return;
      window.add(rowsOf(batch));
    }
    stats.positions(ledger.size, read);
  }
  batches.close();
  window.hurry();
}

/** Makes the ledger know all positions that the blocks touch. Gives how many were read. */
async function loadPositions(
  ledger: PositionLedger,
  store: IngestStore,
  group: readonly BlockFacts[],
): Promise<number> {
  for (const { whole, created } of group) {
    if (whole) for (const { mint } of created) ledger.born(mint);
  }
  const missing = ledger.missing(group.flatMap(({ swaps }) => swaps));
  if (missing.length === 0) return 0;
  const states = await store.readPositions(missing);
  ledger.restore(states);
  return states.length;
}

async function flushBatches(line: Line, limit: number): Promise<void> {
  const { store, sink, clock, stats, ledger, derived, batches, window } = line;
  let flushed = 0;
  while (await batches.ready()) {
    await window.opened();
    const group = batches.drain(limit);
    const last = group.at(-1);
    if (last === undefined) continue;
    const startedAt = clock.elapsed();
    await store.flush(group);
    flushed += group.length;
    ledger.committed(flushed);
    sink.commit(Math.max(store.committedSlot, last.lastSlot), group.length);
    stats.waiting(derived.size, batches.size);
    stats.flushed({
      batches: group.length,
      rows: group.reduce((sum, batch) => sum + rowsOf(batch), 0),
      lastSlot: last.lastSlot,
      committedSlot: store.committedSlot,
      ms: clock.elapsed() - startedAt,
    });
  }
}

function rowsOf({ tables }: RowBatch): number {
  let rows = 0;
  for (const table of tables.values()) rows += table.rows;
  return rows;
}
