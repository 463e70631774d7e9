import { type BookLimits, DEFAULT_BOOK_LIMITS } from '../../src/books/book-limits.ts';
import { createBookShelf } from '../../src/books/book-shelf.ts';
import type { Address } from '../../src/chain/address.ts';
import type { PositionState } from '../../src/facts/average-cost.ts';
import { createLaunchBooks, type LaunchBooks } from '../../src/features/launch/answers.ts';
import type { BundleFunders } from '../../src/features/launch/bundle-funders.ts';
import type { LaunchReads } from '../../src/features/launch/launch-reads.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Coverage } from '../../src/store/clickhouse/coverage.ts';
import type { CreatedLeaders } from '../../src/token/created-leader.ts';
import { creationRow, LAUNCH_TIME, type LaunchTransaction, rowsOf } from './launch-script.ts';
import { createMemoryReads } from './memory-reads.ts';
import type { BookReads } from './token-books.ts';
import { foldedPositions } from './token-world.ts';
import type { WorldBlock } from './token-world-rows.ts';

const EVERYTHING = { order: 'asc', limit: 1_000_000, cursor: undefined } as const;

/** Questions about a token's first moments over the others: slow, simple, and what the store is held against. */
export function launchReadsOver(reads: BookReads): LaunchReads {
  return {
    async raceSwaps(mint, mark, { first, last, limit }) {
      const rows = await reads.swaps(mint, mark, EVERYTHING);
      return rows.filter(({ slot }) => slot >= first && slot <= last).slice(0, limit);
    },
    async raceAttempts(mint, mark, { first, last, limit }) {
      const rows = await reads.attempts(mint, mark, EVERYTHING);
      return rows.filter(({ slot }) => slot >= first && slot <= last).slice(0, limit);
    },
    async firstBuys(mint, mark, limit) {
      const buys = (await reads.swaps(mint, mark, EVERYTHING)).filter((row) => row.is_buy && !row.protocol_actor);
      return buys
        .filter(({ trader }, place) => buys.findIndex((row) => row.trader === trader) === place)
        .slice(0, limit);
    },
    holdings: async () => [],
    async positions(mint, { wallets, sellers, limit }) {
      const rows = await reads.holders(mint, { wallets: EVERYTHING.limit, venues: [] });
      return rows
        .filter(({ trader, buys }) => wallets.includes(trader as Address) || (sellers && buys === 0))
        .slice(0, limit);
    },
  };
}

/** Nobody who bought was paid for. */
export const NO_FUNDERS: BundleFunders = {
  of: async () => ({ key: '', isSettled: true, haveOneFunder: () => false }),
};

/** Books of launches with a shelf of their own. */
export function openLaunchBooks({
  reads,
  feed,
  limits,
  wholeSince = {},
  coverage = [],
  createdLeaders,
}: {
  readonly reads: BookReads;
  readonly feed: Feed;
  readonly limits: BookLimits;
  /** Times since when tables have all their rows, of those that do not keep them for ever. */
  readonly wholeSince?: Readonly<Record<string, number>>;
  /** Slots that the store holds whole: behind the newest of them there are no holes. */
  readonly coverage?: Coverage;
  readonly createdLeaders?: CreatedLeaders;
}): LaunchBooks {
  const shelf = createBookShelf({ feed, limits });
  return createLaunchBooks({
    reads: { ...reads, ...launchReadsOver(reads) },
    shelf,
    wholeSince: async () => new Map(Object.entries(wholeSince)),
    coverage: async () => coverage,
    isWhole: async () => true,
    funders: NO_FUNDERS,
    createdLeaders,
    feed,
    clock: systemClock,
  });
}

/** Everything one can ask of a token's first moments, as text. */
export async function everyLaunchAnswer(books: LaunchBooks, mint: Address): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const limit of [3, 500]) {
    answers[`launch ${limit}`] = String(await books.launch(mint, limit));
    answers[`first buyers ${limit}`] = String(await books.firstBuyers(mint, limit));
  }
  for (const slots of [4, 150]) answers[`race ${slots}`] = String(await books.race(mint, slots));
  return answers;
}

/** The blocks of a launch, one for each of its slots. */
export function launchBlocks(script: readonly LaunchTransaction[]): WorldBlock[] {
  const { swaps, attempts } = rowsOf(script);
  const positions = new Map<string, PositionState>();
  const slots = [...new Set([creationRow, ...swaps, ...attempts].map(({ slot }) => slot))].sort((a, b) => a - b);
  return slots.map((slot) => {
    const inside = <R extends { readonly slot: number }>(rows: readonly R[]) => rows.filter((row) => row.slot === slot);
    const block: WorldBlock = {
      slot,
      time: LAUNCH_TIME + Math.floor((slot - creationRow.slot) / 3),
      creations: inside([creationRow]),
      swaps: inside(swaps),
      attempts: inside(attempts),
      ...{ completions: [], graduations: [], creatorChanges: [], transfers: [], positions: [] },
    };
    return { ...block, positions: foldedPositions(block, positions) };
  });
}

export interface LaunchShape {
  readonly creation?: boolean;
  readonly mayhem?: boolean;
}

/** The books of a launch that the store has whole. */
export function booksOfScript(
  script: readonly LaunchTransaction[],
  { creation = true, mayhem = false }: LaunchShape = {},
) {
  const reads = createMemoryReads();
  const feed = createFeed({ maxHeldBatches: 1 });
  for (const block of launchBlocks(script)) {
    reads.add({ ...block, creations: creation ? block.creations.map((row) => ({ ...row, mayhem })) : [] });
    feed.commit(block.slot, 0);
  }
  return openLaunchBooks({ reads, feed, limits: DEFAULT_BOOK_LIMITS });
}
