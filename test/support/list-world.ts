import { DEFAULT_LIST_LIMITS } from '../../src/books/book-limits.ts';
import type { TokenFilter, TokenLists } from '../../src/features/tokens/lists.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { openLists } from './followed-lists.ts';
import { createMemoryMarket } from './memory-market.ts';
import { createMemoryReads } from './memory-reads.ts';
import { createMemoryWindows } from './memory-windows.ts';
import { worldBatch } from './token-world.ts';
import type { WorldBlock } from './token-world-rows.ts';

export const LIST_NOW = 1_790_000_000;
/** Nothing is kept: every page is the store's. */
export const NO_LISTS = { ...DEFAULT_LIST_LIMITS, tokens: 0, maxBooks: 0 };
/** Pages end in the middle of what is kept. */
export const SMALL_LISTS = { ...DEFAULT_LIST_LIMITS, tokens: 1, maxBooks: 2 };

/** A feed, and a store that gets its blocks when a test says so: what lists of tokens are made of. */
export function listWorld() {
  // Every question at another time of day, so that no page is a kept one.
  let now = LIST_NOW * 1000;
  const clock = { now: () => now, elapsed: () => now, sleep: () => new Promise<void>(() => {}) };
  const reads = createMemoryReads();
  const market = createMemoryMarket(() => reads.blocks, reads);
  const feed = createFeed({ maxHeldBatches: 100 });
  const waiting: WorldBlock[] = [];
  const deps = {
    reads: { ...market, stats: () => Promise.reject(new Error('not asked for')) },
    windows: createMemoryWindows(() => reads.blocks),
    feed,
    clock,
  };
  return {
    deps,
    lists: (limits: typeof NO_LISTS, solUsd: () => number | undefined = () => 150, lookedAt = 20_000) =>
      openLists({ ...deps, limits, solUsd, lookedAt }),
    wait(seconds: number) {
      now += seconds * 1000;
    },
    publish(block: WorldBlock, closesSlots: boolean) {
      waiting.push(block);
      feed.publish(worldBatch(block, closesSlots));
    },
    commit(lag: number) {
      while (waiting.length > lag) {
        const block = waiting.shift()!;
        reads.add(block);
        feed.commit(block.slot, 1);
      }
    },
  };
}

/** Pages of a list, following cursors. */
export async function walkPages(lists: TokenLists, filter: TokenFilter): Promise<string[]> {
  const body = (await lists.list(filter)).toString();
  const { next_cursor } = JSON.parse(body);
  return next_cursor === undefined ? [body] : [body, ...(await walkPages(lists, { ...filter, cursor: next_cursor }))];
}
