import { expect, it } from 'vitest';
import { launchBlocks, openLaunchBooks } from '../../test/support/launch-books.ts';
import { CREATOR, LAUNCH_MINT, landed, leg } from '../../test/support/launch-script.ts';
import { validatorOf } from '../../test/support/leader-schedules.ts';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import type { Body } from '../books/body-cache.ts';
import { DEFAULT_BOOK_LIMITS } from '../books/book-limits.ts';
import { createBookShelf } from '../books/book-shelf.ts';
import { createSnapshots } from '../features/tokens/answers.ts';
import { createFeed } from '../feed/in-process.ts';
import { createCreatedLeaders } from '../leaders/created-leaders.ts';
import { createKnownLeaders } from '../leaders/known-leaders.ts';
import { NO_PLACES } from '../leaders/places.ts';

/** Answers about a launch over a store that tells no leaders while it is `away`. */
function open() {
  const leader = validatorOf(0, { name: 'Now' });
  let [isAway, elapsed] = [true, 0];
  const createdLeaders = createCreatedLeaders({
    leaders: {
      scheduleAt: () => undefined,
      leaderAt: () => undefined,
      async leadersOf(slots) {
        if (isAway) throw new Error('away');
        return new Map(slots.map((slot) => [slot, leader]));
      },
      changes: 0,
    },
    known: createKnownLeaders(NO_PLACES),
    clock: { elapsed: () => elapsed },
  });
  const reads = createMemoryReads();
  const feed = createFeed({ maxHeldBatches: 1 });
  for (const block of launchBlocks([landed(0, 41, [leg(CREATOR)])])) {
    reads.add(block);
    feed.commit(block.slot, 0);
  }
  const limits = DEFAULT_BOOK_LIMITS;
  const shelf = createBookShelf({ feed, limits });
  const snapshot = createSnapshots({ reads, shelf, createdLeaders, solUsd: () => undefined });
  const books = openLaunchBooks({ reads, feed, limits, createdLeaders });
  const hasLeader = async (body: Body) => String(await body).includes(leader.identity);
  return {
    hasLeaders: async () => [await hasLeader(snapshot(LAUNCH_MINT)), await hasLeader(books.race(LAUNCH_MINT, 4))],
    comeBack() {
      isAway = false;
    },
    pass(ms: number) {
      elapsed += ms;
    },
  };
}

it('answers go without leaders while the store does not tell them, and are not kept so', async () => {
  const { hasLeaders, comeBack, pass } = open();
  expect(await hasLeaders()).toEqual([false, false]);
  comeBack();
  expect(await hasLeaders()).toEqual([false, false]);
  pass(5_000);
  expect(await hasLeaders()).toEqual([true, true]);
});
