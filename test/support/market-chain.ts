import { DEFAULT_LIST_LIMITS } from '../../src/books/book-limits.ts';
import type { Address } from '../../src/chain/address.ts';
import { openListedRows } from '../../src/features/tokens/listed-rows.ts';
import { createTokenLists } from '../../src/features/tokens/lists.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createMarket } from '../../src/market/market.ts';
import type { WindowReads } from '../../src/market/market-reads.ts';
import type { SwapRow, TokenCreationRow } from '../../src/store/clickhouse/schema/tables.ts';
import { createHandClock } from './hand-clock.ts';
import { createMemoryMarket } from './memory-market.ts';
import { createMemoryReads } from './memory-reads.ts';
import { createMemoryWindows } from './memory-windows.ts';
import { worldBatch } from './token-world.ts';
import { addHappening, type WorldBlock } from './token-world-rows.ts';

export const CHAIN_WALL = 1_790_000_000;
export const FIRST_SLOT = 400_000_000;

/** What a test says of a swap; the rest is made up. */
export type HandSwap = Partial<SwapRow> & { readonly mint: Address };
/** What it says of a creation. */
export type HandBirth = Partial<TokenCreationRow> & { readonly mint: Address };

/** A block of hand-made swaps and creations. */
export function handBlock(
  index: number,
  time: number,
  { swaps = [], births = [] }: { readonly swaps?: readonly HandSwap[]; readonly births?: readonly HandBirth[] },
): WorldBlock {
  const [completions, graduations, creatorChanges, attempts, transfers] = [[], [], [], [], []];
  const slot = FIRST_SLOT + index;
  const none = { completions, graduations, creatorChanges, attempts, transfers, positions: [] };
  const made: WorldBlock = { slot, time, creations: [], swaps: [], ...none };
  const numbers = { mint: 0, trader: index % 5, quote: 0, venue: 0, amount: 1_000n, tokens: 1_000_000n };
  for (const [at, birth] of births.entries()) {
    addHappening(made, { kind: 'create', flag: false, odd: false, ...numbers }, at);
    made.creations[at] = { ...made.creations[at]!, ...birth };
  }
  for (const [at, swap] of swaps.entries()) {
    addHappening(made, { kind: 'swap', flag: true, odd: false, ...numbers }, births.length + at);
    made.swaps[at] = { ...made.swaps[at]!, ...swap };
  }
  return made;
}

/** A chain whose blocks are stored when the test says so, and what lists over the market are made of. */
export function marketChain({ reading = (reads: WindowReads) => reads, solUsd = (): number | undefined => 150 } = {}) {
  const reads = createMemoryReads();
  const feed = createFeed({ maxHeldBatches: 10_000 });
  const clock = createHandClock(CHAIN_WALL * 1_000);
  const windows = reading(createMemoryWindows(() => reads.blocks));
  const market = createMarket({ reads: windows, feed, clock, log: silentLogger });
  const store = createMemoryMarket(() => reads.blocks, reads);
  const lists = createTokenLists({ reads: store, feed, market, clock, limits: DEFAULT_LIST_LIMITS, solUsd });
  const waiting: WorldBlock[] = [];
  const rows = { ...lists.rows, feed, market };
  return {
    deps: { ...rows, clock, solUsd },
    clock,
    lists,
    open: (mints: readonly Address[]) => openListedRows(rows, mints),
    publish(...blocks: readonly WorldBlock[]) {
      for (const each of blocks) {
        waiting.push(each);
        feed.publish(worldBatch(each));
      }
    },
    commit() {
      for (const each of waiting.splice(0)) {
        reads.add(each);
        feed.commit(each.slot, 1);
      }
    },
    withdraw() {
      const newest = waiting.pop();
      if (newest !== undefined) feed.withdraw(newest.slot);
    },
    /** A block that the store gets beside the feed. */
    arriveLate(late: WorldBlock) {
      reads.add(late);
      const mints = new Set(late.swaps.map(({ mint }) => mint as Address));
      feed.changed([...mints], { first: late.slot, last: late.slot });
    },
    stored: () => reads.blocks,
    async settle() {
      for (let round = 0; round < 20; round += 1) await clock.advance(500);
    },
    close() {
      lists.close();
      market.close();
    },
  };
}

/** Waits for an answer while time passes by hand. */
export async function answerOf<T>(
  { advance }: { advance(ms: number): Promise<void> },
  asked: T | Promise<T>,
): Promise<T> {
  let isDone = false;
  const done = Promise.resolve(asked).finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  for (let turn = 0; turn < 200 && !isDone; turn += 1) await advance(50);
  return done;
}
