import type { Feed, FeedListener } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { readForService } from '../store/reads/reader.ts';
import { createUnsettledRows } from './unsettled-rows.ts';

/**
 * How something in memory keeps up with the feed that takes blocks in as they come, and reads again from the store what
 * came late: until then it is stale.
 */
export interface FeedFollower {
  /** The store has, or will have, rows that were not read. */
  readonly isStale: boolean;
  /** Late blocks wait to be stored: the store has no more than there is. */
  readonly isSettling: boolean;
  /** It was read so lately that it is left alone, whatever there is to read. */
  readonly isResting: boolean;
  /** Changes with all that the feed tells, and with every read. */
  readonly version: number;
  /** The store has other rows than were read. */
  outdate(): void;
  /** Reads it again for the service: what comes late meanwhile makes it stale once more, and so does a read that fails. */
  read(work: () => Promise<void>): Promise<void>;
  /** Leaves it alone for so long from a moment on, monotonic milliseconds. */
  rest(from: number, ms: number): void;
  close(): void;
}

export interface FeedFollowerDeps {
  readonly feed: Feed;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** True for what has not been read at all. */
  readonly isStale: boolean;
  /** Takes in the newest batch, whole blocks that follow all others. */
  take(batch: RowBatch): void;
  /** Takes the newest batch out. One that came `late` was never taken in, unless a read did. */
  takeBack(batch: RowBatch, late: boolean): void;
  readonly changed: FeedListener['changed'];
  /** It is stale from now on, or once more. */
  outdated?(): void;
}

export function createFeedFollower(deps: FeedFollowerDeps): FeedFollower {
  const { feed, clock } = deps;
  const unsettled = createUnsettledRows<'all'>(feed);
  /** Batches that came late: they are in nothing before they are read. */
  const late = new WeakSet<RowBatch>();
  let { isStale } = deps;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let version = 0;

  function outdate(): void {
    isStale = true;
    deps.outdated?.();
  }

  const unsubscribe = feed.subscribe({
    batch(batch) {
      version += 1;
      if (!unsettled.isLate(batch)) {
        deps.take(batch);
        return;
      }
      unsettled.note('all', batch);
      late.add(batch);
      outdate();
    },
    withdrawn(batch) {
      version += 1;
      unsettled.withdrawn();
      deps.takeBack(batch, late.has(batch));
    },
    changed(mints, what, slots) {
      version += 1;
      deps.changed(mints, what, slots);
    },
  });

  return {
    get isStale() {
      return isStale;
    },
    get isSettling() {
      return unsettled.has('all');
    },
    get isResting() {
      return clock.elapsed() < restsUntil;
    },
    get version() {
      return version;
    },
    outdate,
    async read(work) {
      isStale = false;
      try {
        // Not at once: whoever begins a read notes it first.
        await Promise.resolve().then(() => readForService(work));
      } catch (error) {
        isStale = true;
        throw error;
      }
      isStale ||= unsettled.has('all');
      version += 1;
    },
    rest(from, ms) {
      restsUntil = from + ms;
    },
    close: unsubscribe,
  };
}
