import { DEFAULT_BOOK_LIMITS } from '../../src/books/book-limits.ts';
import { createBookShelf } from '../../src/books/book-shelf.ts';
import { createLaunchAnswers, type LaunchAnswers } from '../../src/features/launch/answers.ts';
import { createMovementAnswers, type MovementAnswers } from '../../src/features/movements/answers.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import type { StoreClient } from '../../src/store/clickhouse/client.ts';

/** Later than any slot of a test. */
const END_OF_SLOTS = 2 ** 32 - 1;

/** Needs of answers out of a store that nobody writes to, at Unix second `now` for ever. */
export function stillDeps(client: StoreClient, now: number) {
  const feed = createFeed({ maxHeldBatches: 1 });
  feed.commit(END_OF_SLOTS, 0);
  const clock = { now: () => now * 1000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  return { client, feed, clock, shelf };
}

/** Answers about movements out of such a store. */
export function movementAnswersAt(
  client: StoreClient,
  now: number,
): MovementAnswers & Pick<LaunchAnswers, 'mempoolBuyers'> {
  const deps = stillDeps(client, now);
  const launch = createLaunchAnswers({ ...deps, isWhole: async () => true });
  return { ...createMovementAnswers(deps), mempoolBuyers: launch.mempoolBuyers };
}

/** The rows of every page of a list, one array a page. */
export async function walkPages<C>(
  read: (cursor: C | undefined) => Promise<Buffer | undefined> | Buffer,
  decode: (text: string) => C | undefined,
): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  for (let cursor: C | undefined; ; ) {
    const text = (await read(cursor))?.toString();
    if (text === undefined) throw new Error('nothing is known');
    const { data, next_cursor } = JSON.parse(text) as { data: unknown[]; next_cursor?: string };
    pages.push(data);
    if (next_cursor === undefined) return pages;
    cursor = decode(next_cursor);
    if (cursor === undefined) throw new Error(`no cursor: ${next_cursor}`);
  }
}
