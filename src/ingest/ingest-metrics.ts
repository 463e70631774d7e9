import type { Metrics } from '../kernel/metrics.ts';
import type { IngestSnapshot } from './stats.ts';

/** Puts the figures of ingest among the metrics. */
export function addIngestMetrics(metrics: Metrics, read: () => IngestSnapshot): void {
  const counter = (name: string, help: string, figure: (snapshot: IngestSnapshot) => number) =>
    metrics.counter({ name: `mintscope_ingest_${name}`, help, read: () => figure(read()) });
  const gauge = (name: string, help: string, figure: (snapshot: IngestSnapshot) => number | undefined) =>
    metrics.gauge({ name: `mintscope_ingest_${name}`, help, read: () => figure(read()) });

  counter('blocks_total', 'Blocks derived.', ({ blocks }) => blocks);
  counter('transactions_total', 'Transactions derived, without votes.', ({ transactions }) => transactions);
  counter('rows_total', 'Rows the store took.', ({ rows }) => rows);
  counter('flushes_total', 'Flushes the store took.', ({ flushes }) => flushes);
  counter('missing_slots_total', 'Slots the source could not give.', ({ missingSlots }) => missingSlots);
  counter('positions_read_total', 'Positions read back from the store.', ({ positionsRead }) => positionsRead);
  counter('dirty_mints_total', 'Mints whose swaps came out of order.', ({ dirtyMints }) => dirtyMints);
  gauge('head_slot', 'Newest slot derived.', ({ headSlot }) => headSlot);
  gauge('committed_slot', 'Newest slot the store answers for.', ({ committedSlot }) => committedSlot);
  gauge('lag_slots', 'Slots derived that the store does not have.', ({ lagSlots }) => lagSlots);
  gauge('lag_ms', 'Age of the newest derived block.', ({ lagMs }) => lagMs);
  gauge('queued_blocks', 'Blocks derived that wait to be folded.', ({ queuedBlocks }) => queuedBlocks);
  gauge('held_batches', 'Batches published that wait for the store.', ({ heldBatches }) => heldBatches);
  gauge('last_flush_ms', 'Duration of the last flush.', ({ lastFlushMs }) => lastFlushMs);
  gauge('positions_held', 'Positions in memory.', ({ positionsHeld }) => positionsHeld);
  metrics.counter({
    name: 'mintscope_ingest_facts_total',
    help: 'Facts derived.',
    label: 'kind',
    read: () => read().facts,
  });
  metrics.counter({
    name: 'mintscope_ingest_oddities_total',
    help: 'Oddities in the data, by code and subject.',
    label: 'oddity',
    read: () => read().oddities,
  });
}
