import type { Address } from '../chain/address.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import type { Feed, FeedListener, SlotSpan } from './feed.ts';

export interface InProcessFeed extends Feed {
  /** Hands a batch to every listener and keeps it until it is committed. */
  publish(batch: RowBatch): void;
  /**
   * The store answers for everything up to `slot` and has the oldest `batches`
   * held ones; without a number, those that end at or before `slot`. Batches
   * are committed in the order in which they were published.
   */
  commit(slot: number, batches?: number): void;
  /**
   * Takes the newest held batch back: its block, of this slot, is not on the chain.
   *
   * @throws {RangeError} when that is not the newest held batch.
   */
  withdraw(slot: number): void;
  /** The store has other rows of these mints than before; of these slots, when facts or blocks are among them. */
  changed(mints: readonly Address[], slots?: SlotSpan): void;
  /** The store describes these mints otherwise than before. */
  described(mints: readonly Address[]): void;
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
  const listeners = new Set<FeedListener>();
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
      // Copied so that one listener subscribed twice is two subscriptions.
      const entry = { ...listener };
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
      for (const listener of listeners) listener.batch(batch);
    },
    commit(slot, batches) {
      const open = held.findIndex((batch) => batch.lastSlot > slot);
      held = held.slice(batches ?? (open < 0 ? held.length : open));
      committedSlot = Math.max(committedSlot, slot);
      headSlot = Math.max(headSlot, committedSlot);
    },
    withdraw(slot) {
      const batch = held.at(-1);
      // A batch of one block begins before it where slots were skipped.
      if (batch?.lastSlot !== slot) {
        throw new RangeError(`slot ${slot} can not be withdrawn: the newest held batch ends at ${batch?.lastSlot}`);
      }
      held = held.slice(0, -1);
      headSlot = held.reduce((newest, { lastSlot }) => Math.max(newest, lastSlot), committedSlot);
      for (const listener of listeners) listener.withdrawn(batch);
    },
    changed(mints, slots) {
      // A late block may be of no token, and is news all the same.
      if (mints.length === 0 && slots === undefined) return;
      for (const listener of listeners) listener.changed(mints, 'rows', slots);
    },
    described(mints) {
      if (mints.length === 0) return;
      for (const listener of listeners) listener.changed(mints, 'descriptions', undefined);
    },
  };
}
