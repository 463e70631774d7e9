import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turns } from '../../../test/support/forked-world.ts';
import { createMemoryReads } from '../../../test/support/memory-reads.ts';
import { openTokenBooks } from '../../../test/support/token-books.ts';
import { worldBatch, worldBlocks } from '../../../test/support/token-world.ts';
import { WORLD_MINTS, type WorldBlock } from '../../../test/support/token-world-rows.ts';
import type { Body } from '../../books/body-cache.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createFeed } from '../../feed/in-process.ts';

const NOW = 1_790_000_000;
const MINT = WORLD_MINTS[0]!;
/** Every token is too busy for its book. */
const BUSY = { ...DEFAULT_BOOK_LIMITS, sizes: { ...DEFAULT_BOOK_LIMITS.sizes, activitySwaps: 0 } };

/** A block with a swap of the token. */
const BLOCK: WorldBlock = fc
  .sample(worldBlocks(NOW, 10), { numRuns: 50, seed: 3 })
  .flat()
  .find(({ swaps }) => swaps.some(({ mint }) => mint === MINT))!;

describe('the activity of a token too busy for a book', () => {
  it('is read once at a time, however many seconds a read takes and however many ask', async () => {
    let elapsed = 0;
    const clock = { now: () => NOW * 1000 + elapsed, elapsed: () => elapsed, sleep: () => new Promise<void>(() => {}) };
    const feed = createFeed({ maxHeldBatches: 1 });
    feed.publish(worldBatch(BLOCK));
    const stored = createMemoryReads();
    stored.add(BLOCK);
    feed.commit(BLOCK.slot, 1);
    const under: (() => void)[] = [];
    let reading = 0;
    const reads = {
      ...stored,
      async activitySums(...question: Parameters<typeof stored.activitySums>) {
        reading += 1;
        await new Promise<void>((resolve) => under.push(resolve));
        return stored.activitySums(...question);
      },
    };
    const books = openTokenBooks({ reads, feed, clock, limits: BUSY });
    const asked: Body[] = [];
    for (let second = 0; second < 3; second += 1) {
      asked.push(books.activity(MINT), books.activity(MINT));
      await turns(40);
      elapsed += 1_000;
    }
    expect(reading).toBe(1);
    under[0]?.();
    const bodies = await Promise.all(asked);
    expect(new Set(bodies.map((body) => body?.toString())).size).toBe(1);
    // Slow sums are not read again at once, and neither are the swaps that told that there are too many of them.
    const { count } = stored;
    await books.activity(MINT);
    expect(reading).toBe(1);
    expect(stored.count).toBe(count);
    books.close();
  });
});
