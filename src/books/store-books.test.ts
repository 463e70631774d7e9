import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../test/support/answer-schema.ts';
import { everyAnswer } from '../../test/support/every-answer.ts';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import {
  partialBlock,
  relocateWorld,
  WORLD_MINTS,
  type WorldBlock,
  worldBatch,
  worldBlocks,
  worldMint,
} from '../../test/support/token-world.ts';
import { getStats } from '../api/contract/routes/system.ts';
import { listTokens } from '../api/contract/routes/tokens.ts';
import type { Address } from '../chain/address.ts';
import { createFeed } from '../feed/in-process.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import type { ListedToken } from '../queries/market-reads.ts';
import { createMarketReads, createTokenReads } from '../queries/store-reads.ts';
import type { TokenReads } from '../queries/token-reads.ts';
import { openStore, type Store } from '../store/clickhouse/store.ts';
import type { TokenFilter } from './answers.ts';
import { DEFAULT_BOOK_LIMITS } from './book-limits.ts';
import { hourStart, listRowJson } from './list-row.ts';
import { comparePlaces } from './place.ts';
import { createServiceStats } from './service-stats.ts';
import { createTokenBooks } from './token-books.ts';
import { createTokenLists, type TokenLists } from './token-lists.ts';

const NOW = 1_790_000_000;
const clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: async () => {} };
const TINY = { ...DEFAULT_BOOK_LIMITS, sizes: { rows: 1, ticks: 1, candles: 1, activitySwaps: 0, holders: 1 } };

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintscope-books-'));
  store = await openStore({ url: undefined, dataDir: folder, log: silentLogger, clock: systemClock });
});

afterAll(async () => {
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes blocks into the store, and hands them to memory and to a feed that starts before them. */
async function settle(blocks: readonly WorldBlock[], closesSlots: boolean) {
  const memory = createMemoryReads();
  const feed = createFeed({ maxHeldBatches: 100 });
  const batches = blocks.map((block) => worldBatch(block, closesSlots));
  await store.writer.flush(batches);
  for (const block of blocks) memory.add(block);
  for (const batch of batches) feed.publish(batch);
  feed.commit(2 ** 32 - 1, batches.length);
  return { memory, feed };
}

/** Blocks in which a mint is created once at most, as on the chain. */
function bornOnce(blocks: readonly WorldBlock[]): WorldBlock[] {
  const born = new Set<string>();
  const isFirst = (mint: string) => !born.has(mint) && born.add(mint).has(mint);
  return blocks.map((block) => ({ ...block, creations: block.creations.filter((row) => isFirst(row.mint)) }));
}

const FILTER: TokenFilter = {
  sort: 'newest',
  graduated: undefined,
  creator: undefined,
  from: undefined,
  to: undefined,
  limit: 2,
  cursor: undefined,
};

/** The rows of all pages of a list, following cursors. */
async function walkList(lists: TokenLists, filter: TokenFilter): Promise<Record<string, unknown>[]> {
  const body = JSON.parse((await lists.list(filter)).toString());
  expect(answerFaults(listTokens, body)).toEqual([]);
  if (body.next_cursor === undefined) return body.data;
  return [...body.data, ...(await walkList(lists, { ...filter, cursor: body.next_cursor }))];
}

/** List rows out of plain blocks, by the words of the contract. */
async function expectedRows(blocks: readonly WorldBlock[], memory: TokenReads, mint: Address) {
  const facts = await memory.token(mint, 2 ** 32 - 1);
  const start = hourStart(NOW);
  const swaps = blocks.flatMap((block) => block.swaps).filter((row) => row.mint === mint);
  const quotes = [...new Set(swaps.map((row) => row.quote_mint))];
  const positions = blocks.flatMap((block) => block.positions).filter((row) => row.mint === mint);
  const token: ListedToken = {
    mint,
    facts,
    hour: quotes.map((quote) => {
      const ours = swaps.filter((row) => row.quote_mint === quote && row.time >= start);
      return {
        quote_mint: quote,
        trades: ours.length,
        volume: ours.reduce((sum, row) => sum + row.quote_amount, 0n),
      };
    }),
    earlier: quotes.flatMap((quote) => {
      const last = swaps.findLast((row) => row.quote_mint === quote && row.priced && row.time < start);
      return last === undefined ? [] : [{ quote_mint: quote, price: last.price }];
    }),
    traders: new Set(positions.map((row) => `${row.trader} ${row.quote_mint}`)).size,
  };
  return { facts, row: JSON.parse(listRowJson(token)) };
}

describe('lists of tokens', () => {
  it('hold every token once, in order, with the last hour of each, whatever is filtered', async () => {
    const world = 5;
    const [shape] = fc.sample(worldBlocks(NOW, 30), { numRuns: 1, seed: 3 });
    const blocks = bornOnce(relocateWorld(shape!, world));
    const { memory, feed } = await settle(blocks, true);
    const lists = createTokenLists({ reads: createMarketReads(store.client), feed, clock });
    const mints = WORLD_MINTS.map((each) => worldMint(each, world));
    const tokens = await Promise.all(mints.map((mint) => expectedRows(blocks, memory, mint)));
    const ofWorld = (rows: readonly Record<string, unknown>[]) =>
      rows.filter((row) => mints.includes(row.mint as Address));
    const newest = tokens
      .filter(({ facts }) => facts.creation !== undefined)
      .sort((a, b) => comparePlaces(b.facts.creation!, a.facts.creation!));
    const traded = tokens
      .filter(({ facts }) => facts.lastSwap !== undefined)
      .sort((a, b) => comparePlaces(b.facts.lastSwap!, a.facts.lastSwap!));
    expect(newest.length + traded.length).toBeGreaterThan(3);

    expect(ofWorld(await walkList(lists, FILTER))).toEqual(newest.map(({ row }) => row));
    expect(ofWorld(await walkList(lists, { ...FILTER, sort: 'last_trade' }))).toEqual(traded.map(({ row }) => row));
    for (const graduated of [true, false]) {
      const rows = await walkList(lists, { ...FILTER, graduated });
      const expected = newest.filter(({ facts }) => (facts.graduation !== undefined) === graduated);
      expect(ofWorld(rows)).toEqual(expected.map(({ row }) => row));
    }
    const { creator, time } = newest[0]!.facts.creation!;
    for (const sort of ['newest', 'last_trade'] as const) {
      const order = sort === 'newest' ? newest : traded;
      const ofCreator = await walkList(lists, { ...FILTER, sort, creator: creator as Address });
      expect(ofWorld(ofCreator)).toEqual(
        order.filter(({ facts }) => facts.creation?.creator === creator).map(({ row }) => row),
      );
      const sameSecond = await walkList(lists, { ...FILTER, sort, from: time * 1000, to: time * 1000 + 1 });
      expect(ofWorld(sameSecond)).toEqual(
        order.filter(({ facts }) => facts.creation?.time === time).map(({ row }) => row),
      );
    }
  }, 120_000);
});

describe('service statistics', () => {
  it('count what is stored, as the contract says', async () => {
    const body = JSON.parse((await createServiceStats(createMarketReads(store.client), clock).stats()).toString());
    expect(answerFaults(getStats, body)).toEqual([]);
    expect(body.swaps).toBeGreaterThan(0);
    expect(body.tokens).toBeGreaterThan(0);
    expect(body.db_size).toBeGreaterThan(0);
    expect(body.lag_seconds).toBeGreaterThanOrEqual(0);
    // Whole minutes of the hour.
    const perMinute = body.activity.map((minute: { count: number }) => minute.count);
    expect(perMinute.reduce((sum: number, count: number) => sum + count, 0)).toBeLessThanOrEqual(body.swaps_1h);
  });
});

describe('reads of the store', () => {
  it('answer as plain arrays of the same rows do, out of books and without them', async () => {
    const worlds = fc.sample(worldBlocks(NOW, 30), { numRuns: 4, seed: 20_261_121 });
    for (const [world, shape] of worlds.entries()) {
      const closesSlots = world !== 3;
      const blocks = relocateWorld(closesSlots ? shape : shape.map(partialBlock), world);
      const { memory, feed } = await settle(blocks, closesSlots);
      const expected = createTokenBooks({ reads: memory, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      const reads = createTokenReads(store.client);
      const cold = createTokenBooks({ reads, feed, clock, limits: TINY });
      const hot = createTokenBooks({ reads, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      for (const mint of WORLD_MINTS.map((each) => worldMint(each, world))) {
        const answers = await everyAnswer(expected, mint, 3, NOW);
        expect(await everyAnswer(hot, mint, 3, NOW)).toEqual(answers);
        expect(await everyAnswer(cold, mint, 3, NOW)).toEqual(answers);
      }
    }
  }, 120_000);
});
