import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../test/support/answer-schema.ts';
import { extent } from '../../test/support/extent.ts';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import { openTokenBooks } from '../../test/support/token-books.ts';
import { partialBlock, worldBatch, worldBlocks } from '../../test/support/token-world.ts';
import { WORLD_MINTS, type WorldBlock } from '../../test/support/token-world-rows.ts';
import type { Body } from '../books/body-cache.ts';
import { DEFAULT_BOOK_LIMITS } from '../books/book-limits.ts';
import type { Address } from '../chain/address.ts';
import type { RouteContract } from '../contract/route.ts';
import { Absence } from '../contract/stamp.ts';
import { createFeed } from '../feed/in-process.ts';
import { listHolders } from './holders/contract.ts';
import { getToken } from './tokens/contract.ts';
import { getActivity, getTicks, listCandles, listSwaps } from './trades/contract.ts';

const NOW = 1_790_000_000;
const LIMIT = 20;
const clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: async () => {} };

/** Books that have seen the blocks, as whole blocks or as single transactions. */
function readBooks(blocks: readonly WorldBlock[], partial: boolean) {
  const reads = createMemoryReads();
  const feed = createFeed({ maxHeldBatches: 100 });
  const books = openTokenBooks({ reads, feed, clock, limits: DEFAULT_BOOK_LIMITS });
  for (const block of blocks) {
    const seen = partial ? partialBlock(block) : block;
    feed.publish(worldBatch(seen, !partial));
    reads.add(seen);
    feed.commit(seen.slot, 1);
  }
  return books;
}

type Asked = readonly [RouteContract, Body];

function askEverything(books: ReturnType<typeof readBooks>, mint: Address): readonly Asked[] {
  const swaps = { order: 'desc', limit: LIMIT, cursor: undefined, failed: true, transfers: true } as const;
  const candles = {
    interval: '1m',
    from: undefined,
    to: undefined,
    limit: LIMIT,
    quote: undefined,
    fill: true,
  } as const;
  return [
    [getToken, books.snapshot(mint)],
    [listSwaps, books.swaps(mint, swaps)],
    [listSwaps, books.swaps(mint, { ...swaps, order: 'asc', failed: false })],
    [listCandles, books.candles(mint, candles)],
    [getTicks, books.ticks(mint, { quote: undefined, before: undefined, after: undefined, limit: LIMIT })],
    [getActivity, books.activity(mint)],
    [listHolders, books.holders(mint, LIMIT)],
  ];
}

describe('what the books answer', () => {
  it('is what the contracts declare, field by field', async () => {
    await fc.assert(
      fc.asyncProperty(worldBlocks(NOW, 10), fc.boolean(), async (blocks, partial) => {
        const books = readBooks(blocks, partial);
        for (const mint of WORLD_MINTS) {
          for (const [route, answer] of askEverything(books, mint)) {
            const body = await answer;
            if (body instanceof Absence) continue;
            expect([route.path, ...answerFaults(route, JSON.parse(body.toString()))]).toEqual([route.path]);
          }
        }
        books.close();
      }),
      { numRuns: extent(25, 80) },
    );
  });
});
