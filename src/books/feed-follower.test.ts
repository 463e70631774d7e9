import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { Feed, FeedListener } from '../feed/feed.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { createFeedFollower } from './feed-follower.ts';

const block = (slot: number, closesSlots = true): RowBatch => ({
  ...{ firstSlot: slot, lastSlot: slot, closesSlots },
  tables: new Map(),
});

function follow({ isStale = false } = {}) {
  let held: readonly RowBatch[] = [];
  let listener: FeedListener | undefined;
  let headSlot = 10;
  const feed: Feed = {
    get headSlot() {
      return headSlot;
    },
    committedSlot: 0,
    since: () => held,
    subscribe(each) {
      listener = each;
      return () => {};
    },
  };
  const seen: string[] = [];
  const clock = createHandClock();
  const follower = createFeedFollower({
    ...{ feed, clock, isStale },
    take: ({ firstSlot }) => void seen.push(`in ${firstSlot}`),
    takeBack: ({ firstSlot }, late) => void seen.push(`out ${firstSlot}${late ? ' late' : ''}`),
    changed: (_mints, what) => void seen.push(what),
    outdated: () => void seen.push('outdated'),
  });
  const come = (batch: RowBatch) => {
    held = [...held, batch];
    headSlot = Math.max(headSlot, batch.lastSlot);
    listener!.batch(batch);
  };
  const store = () => {
    held = [];
  };
  return { follower, seen, come, store, clock, listener: () => listener! };
}

describe('what follows the feed', () => {
  it('takes in blocks in order, and of what comes late or without its block knows that the store has to be read', async () => {
    const { follower, seen, come, store } = follow();
    come(block(11));
    expect([follower.isStale, follower.isSettling]).toEqual([false, false]);
    come(block(9));
    come(block(12, false));
    expect(seen).toEqual(['in 11', 'outdated', 'outdated']);
    expect([follower.isStale, follower.isSettling]).toEqual([true, true]);
    // Read before they are stored, it may lack them.
    await follower.read(async () => {});
    expect(follower.isStale).toBe(true);
    store();
    expect(follower.isSettling).toBe(false);
    await follower.read(async () => {});
    expect(follower.isStale).toBe(false);
  });

  it('takes out what was withdrawn, and tells what was never taken in; what comes instead is not late', () => {
    const { follower, seen, come, listener } = follow();
    const [eleven, nine] = [block(11), block(9)];
    come(eleven);
    come(nine);
    listener().withdrawn(nine);
    listener().withdrawn(eleven);
    expect(seen).toEqual(['in 11', 'outdated', 'out 9 late', 'out 11']);
    come(block(12));
    expect(seen.at(-1)).toBe('in 12');
    expect(follower.version).toBe(5);
  });

  it('stays stale when the store has other rows from the moment on that a read begins, and behind one that failed', async () => {
    const { follower } = follow({ isStale: true });
    const reading = follower.read(async () => {});
    follower.outdate();
    await reading;
    expect(follower.isStale).toBe(true);
    await follower.read(async () => follower.outdate());
    expect(follower.isStale).toBe(true);
    await expect(follower.read(() => Promise.reject(new Error('the store is away')))).rejects.toThrow('away');
    expect(follower.isStale).toBe(true);
    const before = follower.version;
    await follower.read(async () => {});
    expect([follower.isStale, follower.version]).toEqual([false, before + 1]);
  });

  it('rests for as long as it is told', async () => {
    const { follower, clock } = follow();
    expect(follower.isResting).toBe(false);
    follower.rest(clock.elapsed() - 400, 1_000);
    await clock.advance(599);
    expect(follower.isResting).toBe(true);
    await clock.advance(1);
    expect(follower.isResting).toBe(false);
  });
});
