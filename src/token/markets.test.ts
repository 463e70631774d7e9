import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { createBookReads, openTokenBooks } from '../../test/support/token-books.ts';
import { relocateWorld, worldBatch, worldBlocks, worldMint } from '../../test/support/token-world.ts';
import { address, WORLD_MINTS, type WorldBlock } from '../../test/support/token-world-rows.ts';
import { DEFAULT_BOOK_LIMITS } from '../books/book-limits.ts';
import { createFeed } from '../feed/in-process.ts';
import type { SwapRow } from '../store/clickhouse/schema/tables.ts';
import { foldHighs, foldMarkets } from './markets.ts';

const NOW = 1_790_000_000;
const clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };

/** The same world without anything that prices a token: only pools of anybody. */
function unpriced(blocks: readonly WorldBlock[]): WorldBlock[] {
  return blocks.map((block) => ({
    ...block,
    creations: [],
    completions: [],
    graduations: [],
    creatorChanges: [],
    swaps: block.swaps.map((swap, i) => ({
      ...swap,
      venue: 1,
      priced: false,
      pool: address(61 + ((swap.block_index + i) % 4)),
    })),
  }));
}

describe('markets of a token', () => {
  it('are the same however its swaps are cut into batches', () => {
    const swapsOf = (blocks: readonly WorldBlock[]) =>
      blocks.flatMap(({ swaps }) => swaps).filter(({ mint }) => mint === WORLD_MINTS[0]);
    fc.assert(
      fc.property(worldBlocks(NOW, 30), fc.array(fc.nat(40)), fc.boolean(), (blocks, cuts, pricesAll) => {
        const swaps = swapsOf(pricesAll ? blocks : unpriced(blocks));
        const ends = [...cuts.filter((cut) => cut < swaps.length).sort((a, b) => a - b), swaps.length];
        let highs = foldHighs([], []);
        let markets = foldMarkets([], []);
        let start = 0;
        for (const end of ends) {
          highs = foldHighs(highs, swaps.slice(start, end));
          markets = foldMarkets(markets, swaps.slice(start, end));
          start = end;
        }
        expect(markets).toEqual(foldMarkets([], swaps));
        expect(new Set(highs)).toEqual(new Set(foldHighs([], swaps)));
        for (const quote of new Set(swaps.map(({ quote_mint }) => quote_mint))) {
          const prices = swaps.filter((swap) => swap.priced && swap.quote_mint === quote).map(({ price }) => price);
          const high = highs.find(({ quote_mint }) => quote_mint === quote);
          expect(high?.price).toBe(prices.length === 0 ? undefined : Math.max(...prices));
        }
      }),
    );
  });

  it('do not count again what the rollup told of already', () => {
    const [swap] = fc
      .sample(worldBlocks(NOW, 30), { numRuns: 1, seed: 3 })[0]!
      .flatMap(({ swaps }) => swaps)
      .filter(({ priced }) => priced) as [SwapRow];
    const known = foldHighs([], [swap]);
    expect(foldHighs(known, [swap, { ...swap, slot: swap.slot + 1 }])).toBe(known);
    const earlier = { ...swap, slot: swap.slot - 1 };
    expect(foldHighs(known, [earlier])).toEqual([earlier]);
  });
});

describe('a token without a market that prices it', () => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await openTestStore();
  });
  afterAll(() => opened?.close());

  it('stands at its deepest pool, out of plain rows, of the store and of books that grew', async () => {
    const worlds = fc.sample(worldBlocks(NOW, 30), { numRuns: extent(2, 6), seed: 99 });
    let priced = 0;
    for (const [world, shape] of worlds.entries()) {
      const blocks = relocateWorld(unpriced(shape), world);
      const memory = createMemoryReads();
      const feed = createFeed({ maxHeldBatches: 100 });
      const reads = createBookReads(opened.store.client);
      const hot = openTokenBooks({ reads, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      const mints = WORLD_MINTS.map((mint) => worldMint(mint, world));
      for (const [index, block] of blocks.entries()) {
        const batch = worldBatch(block);
        await opened.store.writer.flush([batch]);
        memory.add(block);
        feed.publish(batch);
        feed.commit(block.slot, 1);
        // From here on the book grows by the feed alone.
        if (index === Math.floor(blocks.length / 2)) for (const mint of mints) await hot.snapshot(mint);
      }
      const expected = openTokenBooks({ reads: memory, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      const cold = openTokenBooks({ reads, feed, clock, limits: { ...DEFAULT_BOOK_LIMITS, maxBooks: 0 } });
      for (const mint of mints) {
        const body = String(await expected.snapshot(mint));
        expect(String(await cold.snapshot(mint))).toBe(body);
        expect(String(await hot.snapshot(mint))).toBe(body);
        if (body.includes('last_price')) priced += 1;
      }
      hot.close();
    }
    expect(priced).toBeGreaterThan(extent(1, 5));
  });
});
