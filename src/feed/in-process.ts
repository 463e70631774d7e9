import type { RowBatch } from '../store/clickhouse/row-batch.ts';
import type { Feed } from './feed.ts';

export interface InProcessFeed extends Feed {
  /** Hands a batch to every listener and keeps it until it is committed. */
  publish(batch: RowBatch): void;
  /**
   * The store answers for everything up to `slot` and has the oldest `batches`
   * held ones; without a number, those that end at or before `slot`. Batches
   * are committed in the order in which they were published.
   */
  commit(slot: number, batches?: number): void;
  /** Batches waiting for the store. */
  readonly held: number;
}

export interface FeedOptions {
  /**
   * Batches that may wait for the store at once. Publishing more throws: the
   * publisher has to hold back before that.
   */
  readonly maxHeldBatches: number;
}

export function createFeed({ maxHeldBatches }: FeedOptions): InProcessFeed {
  const listeners = new Set<(batch: RowBatch) => void>();
  let held: RowBatch[] = [];
  let headSlot = 0;
  let committedSlot = 0;

  return {
    get headSlot() {
      return headSlot;
    },
    get committedSlot() {
      return committedSlot;
    },
    get held() {
      return held.length;
    },
    subscribe(listener) {
      // Wrapped so that one function subscribed twice is two subscriptions.
      const entry = (batch: RowBatch) => listener(batch);
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    since(slot) {
      // Partial input comes in any order of slots: while it is held the store has none of it.
      return held.filter((batch) => batch.lastSlot > slot || !batch.closesSlots);
    },
    publish(batch) {
      if (held.length >= maxHeldBatches) {
        throw new RangeError(`the feed already holds ${held.length} batches that the store has not committed`);
      }
      held.push(batch);
      headSlot = Math.max(headSlot, batch.lastSlot);
      for (const listener of listeners) listener(batch);
    },
    commit(slot, batches) {
      const open = held.findIndex((batch) => batch.lastSlot > slot);
      held = held.slice(batches ?? (open < 0 ? held.length : open));
      committedSlot = Math.max(committedSlot, slot);
      headSlot = Math.max(headSlot, committedSlot);
    },
  };
}
