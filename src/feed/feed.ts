import type { RowBatch } from '../store/clickhouse/row-batch.ts';

/**
 * Fan-out of freshly derived rows inside the process, a block at a time, in
 * slot order. Batches are kept until the store has committed them, so that a
 * book can be warmed from the store and then caught up without a hole.
 */
export interface Feed {
  /** Listeners run synchronously and must not throw. Returns the way to stop. */
  subscribe(listener: (batch: RowBatch) => void): () => void;
  /** Batches past `slot` that are still held, oldest first. */
  since(slot: number): readonly RowBatch[];
  /** Newest slot that went through, 0 before the first. */
  readonly headSlot: number;
  /** Newest slot the store answers for, 0 before the first commit. */
  readonly committedSlot: number;
}
