import type { Feed } from '../feed/feed.ts';
import { decodeRows } from '../store/clickhouse/schema/row-codec.ts';
import { BLOCKS } from '../store/clickhouse/schema/tables.ts';
import type { BlockTime } from '../token/block-times.ts';
import { PACE_SLOTS, SlotPace } from './slot-pace.ts';

/** The pace of the newest blocks, kept from the feed. */
export interface NewestPace extends Pick<SlotPace, 'timeOf' | 'slotMs'> {
  /** Reads what the feed brought before the start. */
  warm(): Promise<void>;
  /** Stops following the feed. */
  close(): void;
}

export interface NewestPaceDeps {
  readonly feed: Feed;
  /** The newest blocks up to a slot, so many at most. */
  readonly readTimes: (mark: number, limit: number) => Promise<readonly BlockTime[]>;
}

export function createNewestPace({ feed, readTimes }: NewestPaceDeps): NewestPace {
  const pace = new SlotPace();
  const close = feed.subscribe({
    batch({ tables }) {
      const blocks = tables.get(BLOCKS.name);
      if (blocks !== undefined) for (const block of decodeRows(BLOCKS, blocks.bytes)) pace.note(block);
    },
    withdrawn({ firstSlot, lastSlot }) {
      pace.withdraw(firstSlot, lastSlot);
    },
    changed() {},
  });
  return {
    async warm() {
      // What the store has is on the chain for good, however late the answer comes.
      for (const block of await readTimes(feed.committedSlot, PACE_SLOTS)) pace.note(block);
    },
    timeOf: (slot) => pace.timeOf(slot),
    slotMs: () => pace.slotMs(),
    close,
  };
}
