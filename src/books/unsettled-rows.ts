import type { Feed } from '../feed/feed.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';

/**
 * Rows that came out of order or without their block. Until the store has the
 * batch that brought them, nothing in memory can tell what a read has seen, so
 * whatever they concern is answered from the store alone.
 */
export interface UnsettledRows<K> {
  /** Looks at every batch of the feed once. True when it is such a batch. */
  isLate(batch: RowBatch): boolean;
  /** The feed took its newest batch back: what takes its place is not late. */
  withdrawn(): void;
  /** Remembers that a late batch concerns `key`. */
  note(key: K, batch: RowBatch): void;
  has(key: K): boolean;
}

/** Keys remembered before those that have settled are swept out; behind a sweep twice as many as are left, where that is more. */
const SWEEP_SIZE = 10_000;

export function createUnsettledRows<K>(feed: Feed): UnsettledRows<K> {
  const batches = new Map<K, RowBatch>();
  let newestSlot = feed.headSlot;
  let sweepAt = SWEEP_SIZE;

  /** What is left is bounded by what the feed holds. So many keys lie between two sweeps as one goes through, or more. */
  function sweep(): void {
    const held = new Set(feed.since(0));
    for (const [key, batch] of batches) if (!held.has(batch)) batches.delete(key);
    sweepAt = Math.max(SWEEP_SIZE, 2 * batches.size);
  }

  function has(key: K): boolean {
    const batch = batches.get(key);
    if (batch === undefined) return false;
    if (feed.since(0).includes(batch)) return true;
    batches.delete(key);
    return false;
  }

  return {
    isLate(batch) {
      const late = !batch.closesSlots || batch.firstSlot <= newestSlot;
      newestSlot = Math.max(newestSlot, batch.lastSlot);
      return late;
    },
    withdrawn() {
      newestSlot = feed.headSlot;
    },
    note(key, batch) {
      batches.set(key, batch);
      if (batches.size > sweepAt) sweep();
    },
    has,
  };
}
