import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLists } from '../../../test/support/followed-lists.ts';
import { LIST_NOW, listWorld, NO_LISTS, SMALL_LISTS, walkPages } from '../../../test/support/list-world.ts';
import { createMemoryMarket } from '../../../test/support/memory-market.ts';
import { createMemoryReads } from '../../../test/support/memory-reads.ts';
import { createMemoryWindows } from '../../../test/support/memory-windows.ts';
import { bornOnce, partialBlock, worldBlocks } from '../../../test/support/token-world.ts';
import { DEFAULT_LIST_LIMITS } from '../../books/book-limits.ts';
import { SYSTEM_PROGRAM } from '../../chain/well-known.ts';
import { ApiError } from '../../contract/errors.ts';
import { createFeed } from '../../feed/in-process.ts';
import { createTokenLists, type TokenFilter, type TokenLists } from './lists.ts';

const NOW = LIST_NOW;
const MAX_BLOCKS = 14;
/** Longer than a page out of the store is kept. */
const KEPT_S = 6;
const FILTER: TokenFilter = {
  sort: 'newest',
  graduated: undefined,
  creator: undefined,
  from: undefined,
  to: undefined,
  limit: 2,
  cursor: undefined,
};

/** A market whose windows are still being read. */
const NO_MARKET = {
  ...{ windows: undefined, version: 0, ready: async () => false },
  open: () => Promise.reject(new ApiError('warming_up')),
};

async function bothWalks(lists: TokenLists): Promise<string[][]> {
  return [await walkPages(lists, FILTER), await walkPages(lists, { ...FILTER, sort: 'last_trade' })];
}

describe('lists of tokens', () => {
  it('are the same bytes out of memory and out of the store, warmed at any time, an hour later too', async () => {
    const limits = fc.constantFrom(SMALL_LISTS, DEFAULT_LIST_LIMITS);
    const lag = fc.nat(3);
    await fc.assert(
      fc.asyncProperty(worldBlocks(NOW, MAX_BLOCKS), lag, limits, async (shapes, held, kept) => {
        const live = listWorld();
        const hot = live.lists(kept);
        for (const [index, block] of bornOnce(shapes).entries()) {
          const early = index % 2 === 0 ? bothWalks(hot) : undefined;
          live.publish(block, true);
          live.commit(held);
          live.wait(KEPT_S);
          await early;
        }
        live.commit(0);
        for (const seconds of [KEPT_S, 3_000]) {
          live.wait(seconds);
          expect(await bothWalks(hot)).toEqual(await bothWalks(live.lists(NO_LISTS)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('hold a block that went through the feed, before the store has it', async () => {
    await fc.assert(
      fc.asyncProperty(worldBlocks(NOW, MAX_BLOCKS), fc.nat(MAX_BLOCKS), async (shapes, committed) => {
        const ahead = listWorld();
        const settled = listWorld();
        const hot = ahead.lists(DEFAULT_LIST_LIMITS);
        for (const [index, block] of bornOnce(shapes).entries()) {
          for (const each of [ahead, settled]) each.publish(block, true);
          settled.commit(0);
          if (index < committed) ahead.commit(0);
          expect(await bothWalks(hot)).toEqual(await bothWalks(settled.lists(NO_LISTS)));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('are right again once the store has what came late or without its block', async () => {
    const shuffled = fc.array(fc.nat(), { minLength: MAX_BLOCKS, maxLength: MAX_BLOCKS });
    await fc.assert(
      fc.asyncProperty(worldBlocks(NOW, MAX_BLOCKS), shuffled, async (shapes, order) => {
        const live = listWorld();
        const hot = live.lists(DEFAULT_LIST_LIMITS);
        const blocks = bornOnce(shapes)
          .map((block, index) => ({ block, at: order[index]! }))
          .sort((a, b) => a.at - b.at);
        for (const { block, at } of blocks) {
          const closesSlots = at % 3 > 0;
          live.publish(closesSlots ? block : partialBlock(block), closesSlots);
          await bothWalks(hot);
          live.commit(1);
          live.wait(1);
        }
        live.commit(0);
        live.wait(KEPT_S);
        // Late slots are read again now, and the minutes and hours of theirs some seconds behind them.
        await bothWalks(hot);
        live.wait(KEPT_S);
        expect(await bothWalks(hot)).toEqual(await bothWalks(live.lists(NO_LISTS)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a list that memory does not have', () => {
  const FILTERED: TokenFilter = { ...FILTER, creator: SYSTEM_PROGRAM };

  /** Lists whose pages are counted as the store is asked for them. */
  function counted() {
    let now = NOW * 1000;
    let asked = 0;
    const clock = { now: () => now, elapsed: () => now, sleep: () => new Promise<void>(() => {}) };
    const reads = createMemoryReads();
    const market = createMemoryMarket(() => reads.blocks, reads);
    const feed = createFeed({ maxHeldBatches: 100 });
    const listMints: typeof market.listMints = (...question) => {
      if (question[1].creator !== undefined) asked += 1;
      return market.listMints(...question);
    };
    const windows = createMemoryWindows(() => reads.blocks);
    const deps = {
      reads: { ...market, listMints },
      windows,
      feed,
      clock,
      limits: DEFAULT_LIST_LIMITS,
      solUsd: () => 150,
    };
    return {
      lists: openLists(deps),
      async second(slot: number) {
        now += 1_000;
        feed.commit(slot, 0);
      },
      asked: () => asked,
    };
  }

  it('is asked of the store once for all who ask, and not anew with every block and second', async () => {
    const { lists, second, asked } = counted();
    for (let at = 0; at < 10; at++) {
      await Promise.all([lists.list(FILTERED), lists.list(FILTERED)]);
      await second(100 + at);
    }
    expect(asked()).toBeLessThanOrEqual(5);
  });
});

describe('a list in its order while windows are missing', () => {
  it('is that of the store, at once', async () => {
    const live = listWorld();
    for (const block of bornOnce(fc.sample(worldBlocks(NOW, MAX_BLOCKS), { numRuns: 1, seed: 3 })[0]!)) {
      live.publish(block, true);
    }
    live.commit(0);
    const warming = createTokenLists({
      ...live.deps,
      limits: DEFAULT_LIST_LIMITS,
      solUsd: () => 150,
      market: NO_MARKET,
    });
    expect(await bothWalks(warming)).toEqual(await bothWalks(live.lists(NO_LISTS)));
  });
});

describe('rows of a list', () => {
  it('follow the price of SOL within the second that they are kept for', async () => {
    const live = listWorld();
    let solUsd: number | undefined = 100;
    const lists = live.lists(DEFAULT_LIST_LIMITS, () => solUsd);
    for (const block of bornOnce(fc.sample(worldBlocks(NOW, MAX_BLOCKS), { numRuns: 1, seed: 3 })[0]!)) {
      live.publish(block, true);
    }
    live.commit(0);
    const page = async () => {
      const body = JSON.parse((await lists.list({ ...FILTER, sort: 'last_trade', limit: 10 })).toString());
      const inSol = body.data.filter((row: { quote_mint?: string }) => row.quote_mint === undefined);
      return inSol.map((row: { last_price: string; price_usd?: string }) => [row.last_price, row.price_usd]);
    };
    const factor = (rows: [string, string][]) => rows.map(([sol, usd]) => Number(usd) / Number(sol));
    const before = await page();
    expect(before.length).toBeGreaterThan(0);
    for (const each of factor(before)) expect(each).toBeCloseTo(100, 6);
    solUsd = 200;
    for (const each of factor(await page())) expect(each).toBeCloseTo(200, 6);
    solUsd = undefined;
    for (const [, usd] of await page()) expect(usd).toBeUndefined();
  });
});
