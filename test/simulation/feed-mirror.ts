import type { Feed, FeedListener } from '../../src/feed/feed.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';

/** A follower's view of the feed: every batch it was given, less those it was asked to forget. */
export interface FeedMirror {
  /** Batches in the order in which they came. */
  readonly batches: readonly RowBatch[];
  /** Mints of which it was told to read the store again. */
  readonly changed: ReadonlySet<string>;
  readonly withdrawals: number;
  /** Notices that a listener may never get: a sentence each. */
  readonly faults: readonly string[];
}

export function mirrorFeed(feed: Feed): FeedMirror {
  const batches: RowBatch[] = [];
  const changed = new Set<string>();
  const faults: string[] = [];
  let withdrawals = 0;
  const listener: FeedListener = {
    batch(batch) {
      const newest = batches.at(-1);
      if (newest !== undefined && batch.firstSlot <= newest.lastSlot) {
        faults.push(`slots ${batch.firstSlot} to ${batch.lastSlot} came after slot ${newest.lastSlot}`);
      }
      batches.push(batch);
    },
    withdrawn(batch) {
      withdrawals += 1;
      const newest = batches.pop();
      if (newest !== batch)
        faults.push(`slot ${batch.lastSlot} was withdrawn while ${newest?.lastSlot} was the newest`);
    },
    changed(mints) {
      for (const mint of mints) changed.add(mint);
    },
  };
  feed.subscribe(listener);
  return {
    batches,
    changed,
    faults,
    get withdrawals() {
      return withdrawals;
    },
  };
}

/** The newest slot that it holds, confirmed or not; 0 before the first. */
export function newestShown({ batches }: FeedMirror): number {
  return batches.at(-1)?.lastSlot ?? 0;
}

/** Throws the first thing that the feed did wrong. */
export function assertFeed({ faults }: FeedMirror): void {
  if (faults.length > 0) throw new Error(`feed: ${faults[0]}`);
}
