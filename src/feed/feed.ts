import type { Address } from '../chain/address.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';

/** Callbacks of a follower of the feed. Everything runs synchronously and must not throw. */
export interface FeedListener {
  /** Rows that are new. */
  batch(batch: RowBatch): void;
  /** The newest batch that is still held turned out not to be on the chain: its rows are no longer so. */
  withdrawn(batch: RowBatch): void;
  /**
   * The store holds other rows of these mints than before, beneath what the
   * feed carried: a hole was filled, positions were folded again, a token was
   * hydrated. What was read of them has to be read again. With `descriptions`
   * only what describes them is new: no row moved, and no list is in another order.
   * `slots` are those whose facts came into the store, perhaps of no mint; undefined when none did.
   */
  changed(mints: readonly Address[], what: Changed, slots: SlotSpan | undefined): void;
}

export type Changed = 'rows' | 'descriptions';

/** Slots from one to another, both included. */
export interface SlotSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * Fan-out of freshly derived rows inside the process, a block at a time, in
 * slot order. Batches are kept until the store has committed them, so that a
 * book can be warmed from the store and then caught up without a hole.
 */
export interface Feed {
  /** Returns the way to stop. */
  subscribe(listener: FeedListener): () => void;
  /** Batches past `slot` that are still held, oldest first. */
  since(slot: number): readonly RowBatch[];
  /** Newest slot that an answer can contain, 0 before the first. It goes back when a batch is withdrawn. */
  readonly headSlot: number;
  /** Newest slot the store answers for, 0 before the first commit. */
  readonly committedSlot: number;
}
