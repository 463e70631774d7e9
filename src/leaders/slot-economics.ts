import { createFeedFollower } from '../books/feed-follower.ts';
import type { Feed, SlotSpan } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { KEPT_SLOTS, RecentSlots } from './recent-slots.ts';
import type { SlotEconomicsRow } from './slot-sums.ts';

/** What was paid in the newest slots, out of memory: it follows the feed, and reads from the store what came late. */
export interface SlotEconomics {
  /**
   * Rows from one slot to another, both included, in order. What is no longer kept, or not known yet, is `unknown`.
   *
   * @throws {RangeError} for more than {@link KEPT_SLOTS} slots.
   */
  economicsOf(fromSlot: number, toSlot: number): readonly SlotEconomicsRow[];
  /** The newest slot that is known, 0 without any. */
  readonly newestSlot: number;
  /** False until the store was read once: slots from before the start are unknown. */
  readonly isWarm: boolean;
  /** True while the store has other rows than were read, or holes that may be filled. */
  readonly isStale: boolean;
  /** Of the slots that are kept and stored, those of which it is not known what they paid. */
  readonly unknownSlots: number;
  /** Changes whenever rows may be others. */
  readonly version: number;
  close(): void;
}

export interface SlotEconomicsDeps {
  /** Asks the store for slots from one to another, both included. */
  readonly read: (from: number, to: number) => Promise<readonly SlotEconomicsRow[]>;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Between two looks at what is stale. */
const LOOK_MS = 500;
/** From one read to the next while the store does not answer, or has holes that nobody tells of when they are filled. */
const REREAD_MS = 10_000;

export function createSlotEconomics({ read, feed, clock, log }: SlotEconomicsDeps): SlotEconomics {
  const ending = new AbortController();
  const { signal } = ending;
  const slots = new RecentSlots();
  let isWarm = false;

  const follower = createFeedFollower({
    ...{ feed, clock, isStale: true },
    take: (batch) => slots.take(batch),
    takeBack(batch, late) {
      if (!late) slots.takeBack(batch);
    },
    changed(_mints, _what, span) {
      if (span !== undefined && isKept(span)) follower.outdate();
    },
  });
  for (const batch of feed.since(0)) {
    if (batch.closesSlots) slots.take(batch);
  }

  function isKept({ last }: SlotSpan): boolean {
    return last > Math.max(slots.newest, feed.committedSlot) - KEPT_SLOTS;
  }

  /** Reads all slots that the store answers for: some milliseconds, whatever of them is missing. */
  async function readAgain(): Promise<void> {
    const mark = feed.committedSlot;
    const newest = Math.max(mark, slots.newest);
    const from = Math.max(0, newest - KEPT_SLOTS + 1);
    if (mark >= from && mark > 0) slots.fill(await read(from, mark));
    isWarm = true;
  }

  function hasWork(): boolean {
    // Until late blocks are stored, the store has no more than there is.
    if (follower.isStale) return !follower.isSettling && (isWarm || !follower.isResting);
    return !follower.isResting && slots.holes(feed.committedSlot) > 0;
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      if (hasWork()) {
        try {
          follower.rest(clock.elapsed(), REREAD_MS);
          await follower.read(readAgain);
        } catch (error) {
          if (signal.aborted) return;
          log.warn({ err: String(error) }, 'what slots paid could not be read; it is tried again');
          await clock.sleep(REREAD_MS, signal);
        }
      }
      await clock.sleep(LOOK_MS, signal);
    }
  }
  void follow();

  return {
    economicsOf(fromSlot, toSlot) {
      if (toSlot - fromSlot >= KEPT_SLOTS) throw new RangeError(`no more than ${KEPT_SLOTS} slots are kept`);
      return slots.rows(fromSlot, toSlot);
    },
    get newestSlot() {
      return slots.newest;
    },
    get isWarm() {
      return isWarm;
    },
    get isStale() {
      return follower.isStale || slots.holes(feed.committedSlot) > 0;
    },
    get unknownSlots() {
      return slots.holes(feed.committedSlot);
    },
    get version() {
      return follower.version;
    },
    close() {
      follower.close();
      ending.abort();
    },
  };
}
