import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../test/support/answer-schema.ts';
import { eventually } from '../../test/support/eventually.ts';
import { everyAnswer } from '../../test/support/every-answer.ts';
import { extent } from '../../test/support/extent.ts';
import { openLists } from '../../test/support/followed-lists.ts';
import { createMemoryCurves } from '../../test/support/memory-curves.ts';
import { createMemoryMarket } from '../../test/support/memory-market.ts';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import { createMemoryWindows } from '../../test/support/memory-windows.ts';
import { FILTER, walkList } from '../../test/support/stored-lists.ts';
import { createBookReads, openTokenBooks } from '../../test/support/token-books.ts';
import {
  bornOnce,
  partialBlock,
  relocateWorld,
  worldBatch,
  worldBlocks,
  worldMint,
} from '../../test/support/token-world.ts';
import { WORLD_MINTS, type WorldBlock } from '../../test/support/token-world-rows.ts';
import { toldOf } from '../../test/support/told-windows.ts';
import { DEFAULT_BOOK_LIMITS, DEFAULT_LIST_LIMITS } from '../books/book-limits.ts';
import type { Address } from '../chain/address.ts';
import { encodeTokenCursor } from '../contract/token-cursor.ts';
import { createFeed } from '../feed/in-process.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import type { CurveFigures } from '../market/curve-figures.ts';
import { createCurveReads, readCurves } from '../market/curve-reads.ts';
import { createMarket } from '../market/market.ts';
import { createWindowReads } from '../market/market-reads.ts';
import { readJson } from '../store/clickhouse/client.ts';
import { openStore, type Store } from '../store/clickhouse/store.ts';
import { getStats, statsExample } from './system/contract.ts';
import { createServiceStats } from './system/stats.ts';
import { createStatsReads } from './system/stats-reads.ts';
import { createMarketReads } from './tokens/list-reads.ts';
import type { TokenFilter, TokenLists } from './tokens/lists.ts';

const NOW = 1_790_000_000;
const clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };
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

describe('lists of tokens', () => {
  it('hold what plain blocks hold, in order, out of books and without them, whatever is filtered', async () => {
    const world = 5;
    const [shape] = fc.sample(worldBlocks(NOW, 30), { numRuns: 1, seed: 3 });
    const { memory, feed } = await settle(bornOnce(relocateWorld(shape!, world)), true);
    const reads = createMarketReads(store.client);
    const windows = createWindowReads(store.client);
    const expected = openLists({
      solUsd: () => 150,
      reads: createMemoryMarket(() => memory.blocks, memory),
      windows: createMemoryWindows(() => memory.blocks),
      feed,
      clock,
      limits: DEFAULT_LIST_LIMITS,
    });
    const cold = openLists({
      solUsd: () => 150,
      reads,
      windows,
      feed,
      clock,
      limits: { ...DEFAULT_LIST_LIMITS, tokens: 0, maxBooks: 0 },
    });
    const hot = openLists({ solUsd: () => 150, reads, windows, feed, clock, limits: DEFAULT_LIST_LIMITS });
    const mints = WORLD_MINTS.map((each) => worldMint(each, world));
    const born = memory.blocks.flatMap((block) => block.creations);
    expect(born.length).toBeGreaterThan(1);
    const { creator, time } = born[0]!;
    const filters: Partial<TokenFilter>[] = [
      {},
      { graduated: true },
      { graduated: false },
      { creator: creator as Address },
      { from: time * 1000, to: time * 1000 + 1 },
      { spark: true },
      ...[{ minTraders: 2 }, { quote: '' as const }, { mayhem: false }, { minProgress: 0.01 }, { minVolume: 1n }].map(
        (screen) => ({ screen }),
      ),
    ];
    for (const sort of ['newest', 'last_trade'] as const) {
      for (const filter of filters) {
        const rows = await walkList(expected, { ...FILTER, ...filter, sort });
        // Other worlds are in the store too.
        const ofWorld = async (lists: TokenLists) =>
          (await walkList(lists, { ...FILTER, ...filter, sort })).filter((row) => mints.includes(row.mint as Address));
        expect(await ofWorld(cold)).toEqual(rows);
        expect(await ofWorld(hot)).toEqual(rows);
      }
    }
  });
});

describe('lists of tokens whose creation nobody saw', () => {
  it.each(['bonding', 'graduated'])('hold exactly the %s ones, as their rows say', async (status) => {
    const world = status === 'bonding' ? 8 : 9;
    const [shape] = fc.sample(worldBlocks(NOW, 30), { numRuns: 1, seed: 3 });
    const blocks = relocateWorld(shape!, world).map((block) => ({ ...block, creations: [], graduations: [] }));
    const { feed } = await settle(blocks, true);
    const lists = openLists({
      solUsd: () => 150,
      reads: createMarketReads(store.client),
      windows: createWindowReads(store.client),
      feed,
      clock,
      limits: DEFAULT_LIST_LIMITS,
    });
    const mints = WORLD_MINTS.map((each) => worldMint(each, world));
    const rows = async (graduated: boolean | undefined) =>
      (await walkList(lists, { ...FILTER, sort: 'last_trade', graduated })).filter((row) =>
        mints.includes(row.mint as Address),
      );
    const expected = (await rows(undefined)).filter((row) => row.status === status);
    expect(expected).not.toEqual([]);
    expect(await rows(status === 'graduated')).toEqual(expected);
  });
});

describe('bounds that no token can have', () => {
  const END_OF_TIME_MS = 9_999_999_999_999;
  const place = {
    slot: 36 ** 10 - 1,
    blockIndex: 36 ** 5 - 1,
    ixIndex: 36 ** 5 - 1,
    mint: worldMint(WORLD_MINTS[0]!, 0),
  };

  it.each(['newest', 'last_trade'] as const)('are answered without wrapping, %s first', async (sort) => {
    const [shape] = fc.sample(worldBlocks(NOW, 10), { numRuns: 1, seed: 3 });
    const { feed } = await settle(bornOnce(relocateWorld(shape!, sort === 'newest' ? 6 : 7)), true);
    const lists = openLists({
      solUsd: () => 150,
      reads: createMarketReads(store.client),
      windows: createWindowReads(store.client),
      feed,
      clock,
      limits: { ...DEFAULT_LIST_LIMITS, tokens: 0 },
    });
    const list = async (filter: Partial<TokenFilter>) =>
      JSON.parse((await lists.list({ ...FILTER, sort, ...filter })).toString()).data;
    const all = await list({});
    expect(all.length).toBeGreaterThan(0);
    expect(await list({ from: END_OF_TIME_MS })).toEqual([]);
    expect(await list({ to: -1000 })).toEqual([]);
    expect(await list({ cursor: encodeTokenCursor({ sort, ...place }) })).toEqual(all);
  });
});

describe('windows over all trades', () => {
  it('are out of the store what they are out of plain rows, late and partial ones too', async () => {
    const world = 10;
    const [shape] = fc.sample(worldBlocks(NOW, 30, 30), { numRuns: 1, seed: 5 });
    // Hours behind the other worlds: times run on with slots.
    const hours = 4 * 3_600;
    const later = <T extends { readonly time: number }>(row: T): T => ({ ...row, time: row.time + hours });
    const blocks = bornOnce(relocateWorld(shape!, world)).map((each) => ({
      ...later(each),
      swaps: each.swaps.map(later),
    }));
    const isLate = (index: number) => index % 7 > 4 && index < blocks.length - 1;
    const { memory, feed } = await settle(
      blocks.filter((_, index) => !isLate(index)),
      true,
    );
    const mints = WORLD_MINTS.map((each) => worldMint(each, world));
    const log = silentLogger;
    const curves: CurveFigures[][] = [];
    const rest = { feed, log, clock: { ...systemClock, now: () => (NOW + hours) * 1_000 } };
    const stored = createMarket({ reads: createWindowReads(store.client), ...rest });
    const plain = createMarket({ reads: createMemoryWindows(() => memory.blocks), ...rest });
    const expectSame = async () => {
      // Minutes and hours of late slots are gathered for some seconds.
      await eventually(() => expect([stored, plain].map(({ staleSpans }) => staleSpans)).toEqual([0, 0]));
      const [told, expected] = [await stored.open(), await plain.open()];
      expect(toldOf(expected, mints).mints.flatMap(({ series }) => series).length).toBeGreaterThan(2);
      // Earlier prices are read behind the rest.
      await eventually(() => expect(toldOf(told, mints)).toEqual(toldOf(expected, mints)));
    };
    await expectSame();
    for (const [index, block] of blocks.entries()) {
      if (!isLate(index)) continue;
      const isWhole = index % 7 === 5;
      const late = isWhole ? block : partialBlock(block);
      await store.writer.flush([worldBatch(late, isWhole)]);
      memory.add(late);
      feed.changed(mints, { first: block.slot, last: block.slot });
    }
    await expectSame();
    stored.close();
    plain.close();
    const anew = createMarket({ reads: createWindowReads(store.client), ...rest });
    const windows = await anew.open();
    await eventually(() => expect(toldOf(windows, mints)).toEqual(toldOf(plain.windows!, mints)));
    anew.close();
    const inStore = createCurveReads(store.client, createWindowReads(store.client));
    for (const reads of [inStore, createMemoryCurves(() => memory.blocks)]) {
      const reading = { clock: rest.clock, mark: feed.committedSlot, signal: new AbortController().signal };
      const { book } = await readCurves(reads, reading);
      curves.push(mints.flatMap((mint) => book.figures(mint, { now: plain.windows!.now }) ?? []));
    }
    expect(curves[0]!.length).toBeGreaterThan(0);
    expect(curves[0]).toEqual(curves[1]);
  });
});

/** The store answers for whatever is in it. */
const ALL = { committedSlot: 2 ** 32 - 1 };

describe('service statistics', () => {
  it('count what is stored, as the contract says', async () => {
    const body = JSON.parse(
      (await createServiceStats({ reads: createStatsReads(store.client), feed: ALL, clock }).stats()).toString(),
    );
    expect(answerFaults(getStats, body)).toEqual([]);
    expect(body.swaps).toBeGreaterThan(0);
    const [distinct] = await readJson<{ positions: string }>(
      store.client,
      'SELECT uniqExact(mint, quote_mint, trader) AS positions FROM positions',
    );
    expect(body.positions).toBe(Number(distinct!.positions));
    expect(body.tokens).toBeGreaterThan(0);
    expect(body.db_size).toBeGreaterThan(0);
    expect(body.lag_seconds).toBeGreaterThanOrEqual(0);
    expect(body).not.toHaveProperty('ingest');
    // Whole minutes of the hour.
    const perMinute = body.activity.map((minute: { count: number }) => minute.count);
    expect(perMinute.reduce((sum: number, count: number) => sum + count, 0)).toBeLessThanOrEqual(body.swaps_1h);
  });
});

describe('service statistics of a service that takes blocks in', () => {
  it('tell how it fares beside what is stored', async () => {
    const { ingest } = statsExample;
    const stats = createServiceStats({
      reads: createStatsReads(store.client),
      feed: ALL,
      clock,
      ingest: () => ingest!,
    });
    const body = JSON.parse((await stats.stats()).toString());
    expect(answerFaults(getStats, body)).toEqual([]);
    expect(body.ingest).toEqual(ingest);
  });
});

describe('reads of the store', () => {
  it('answer as plain arrays of the same rows do, out of books and without them', async () => {
    const worlds = fc.sample(worldBlocks(NOW, 30), { numRuns: extent(1, 4), seed: 20_261_121 });
    for (const [world, shape] of worlds.entries()) {
      const closesSlots = world !== worlds.length - 1;
      const blocks = relocateWorld(closesSlots ? shape : shape.map(partialBlock), world);
      const { memory, feed } = await settle(blocks, closesSlots);
      const expected = openTokenBooks({ reads: memory, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      const reads = createBookReads(store.client);
      const cold = openTokenBooks({ reads, feed, clock, limits: TINY });
      const hot = openTokenBooks({ reads, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      for (const mint of WORLD_MINTS.map((each) => worldMint(each, world))) {
        const answers = await everyAnswer(expected, mint, 3, NOW);
        expect(await everyAnswer(hot, mint, 3, NOW)).toEqual(answers);
        expect(await everyAnswer(cold, mint, 3, NOW)).toEqual(answers);
      }
    }
  });
});
