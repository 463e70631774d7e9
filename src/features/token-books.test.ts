import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyAnswer, walkSwaps } from '../../test/support/every-answer.ts';
import { extent } from '../../test/support/extent.ts';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import type { TokenBooks } from '../../test/support/token-books.ts';
import { openTokenBooks } from '../../test/support/token-books.ts';
import { partialBlock, worldBatch, worldBlocks } from '../../test/support/token-world.ts';
import { WORLD_MINTS, type WorldBlock } from '../../test/support/token-world-rows.ts';
import { told } from '../../test/support/told.ts';
import type { Body } from '../books/body-cache.ts';
import { type BookLimits, DEFAULT_BOOK_LIMITS } from '../books/book-limits.ts';
import type { Address } from '../chain/address.ts';
import { Absence } from '../contract/stamp.ts';
import { createFeed } from '../feed/in-process.ts';
import type { SwapPage } from './trades/swap-page.ts';

const NOW = 1_790_000_000;
const clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: async () => {} };

/** Books so small that nearly every answer has to come from the store. */
const TINY: BookLimits = {
  ...DEFAULT_BOOK_LIMITS,
  sizes: { rows: 1, ticks: 1, candles: 1, activitySwaps: 0, holders: 1 },
};
/** Books that forget now and then, so that pages end in the middle of one. */
const SMALL: BookLimits = {
  maxBytes: 2 ** 30,
  maxBooks: 2,
  maxSections: 6,
  sizes: { rows: 4, ticks: 5, candles: 3, activitySwaps: 12, holders: 3 },
};

interface Script {
  readonly blocks: WorldBlock[];
  readonly limit: number;
  /** Blocks that the store lags behind the feed. */
  readonly lag: number;
  /** True, in turn, for blocks that are followed by questions. */
  readonly asks: readonly boolean[];
}

const MAX_BLOCKS = 14;

const script: fc.Arbitrary<Script> = fc.record({
  blocks: worldBlocks(NOW, MAX_BLOCKS),
  limit: fc.integer({ min: 1, max: 6 }),
  lag: fc.integer({ min: 0, max: 4 }),
  asks: fc.array(fc.boolean(), { minLength: MAX_BLOCKS, maxLength: MAX_BLOCKS }),
});

const ofEveryBlock = <T>(each: fc.Arbitrary<T>) => fc.array(each, { minLength: MAX_BLOCKS, maxLength: MAX_BLOCKS });

/** Blocks in any order, those that `partial` picks as single transactions without their block. */
const disorderly = (partial: fc.Arbitrary<boolean>): fc.Arbitrary<Script> =>
  fc.record({ script, order: ofEveryBlock(fc.nat()), partial: ofEveryBlock(partial) }).map((shape) => ({
    ...shape.script,
    blocks: shape.script.blocks
      .map((block, index) => ({ block: shape.partial[index] ? partialBlock(block) : block, at: shape.order[index]! }))
      .sort((a, b) => a.at - b.at)
      .map(({ block }) => block),
  }));

function world(limits: BookLimits) {
  const reads = createMemoryReads();
  const feed = createFeed({ maxHeldBatches: 100 });
  const books = openTokenBooks({ reads, feed, clock, limits });
  const waiting: WorldBlock[] = [];
  return {
    reads,
    feed,
    books,
    publish(block: WorldBlock) {
      waiting.push(block);
      const isPartial = [...block.swaps, ...block.creations, ...block.transfers, ...block.attempts].some(
        (row) => row.partial,
      );
      feed.publish(worldBatch(block, !isPartial));
    },
    /** The store catches up until `lag` blocks are left. */
    commit(lag: number) {
      while (waiting.length > lag) {
        const block = waiting.shift()!;
        reads.add(block);
        feed.commit(block.slot, 1);
      }
    },
  };
}

/** Runs blocks through feed and store as ingest does, and asks now and then while they arrive. */
async function run({ blocks, lag, asks, limit }: Script, limits: BookLimits) {
  const live = world(limits);
  for (const [index, block] of blocks.entries()) {
    const early = asks[index] ? everyAnswer(live.books, WORLD_MINTS[index % 3]!, limit, NOW) : undefined;
    live.publish(block);
    live.commit(lag);
    await early;
  }
  live.commit(0);
  return live;
}

async function expectHotIsCold(live: Awaited<ReturnType<typeof run>>, limit: number): Promise<void> {
  const cold = openTokenBooks({ reads: live.reads, feed: live.feed, clock, limits: TINY });
  for (const mint of WORLD_MINTS) {
    const expected = await everyAnswer(cold, mint, limit, NOW);
    expect(await everyAnswer(live.books, mint, limit, NOW)).toEqual(expected);
    // And again, when everything that can be kept is.
    expect(await everyAnswer(live.books, mint, limit, NOW)).toEqual(expected);
  }
}

describe('books of tokens', () => {
  it.each([
    ['that forget', SMALL],
    ['that hold all', DEFAULT_BOOK_LIMITS],
  ])(
    '%s give the same bytes as the store does, whenever warmed and however far the store lags',
    async (_how, limits) => {
      await fc.assert(
        fc.asyncProperty(script, async (shape) => {
          await expectHotIsCold(await run(shape, limits), shape.limit);
        }),
        { numRuns: extent(24, 125) },
      );
    },
  );

  it.each([
    ['late or out of order', fc.constant(false)],
    ['late, out of order or in single transactions', fc.boolean()],
  ])('give the same bytes after blocks that came %s', async (_how, partial) => {
    await fc.assert(
      fc.asyncProperty(disorderly(partial), async (shape) => {
        await expectHotIsCold(await run(shape, DEFAULT_BOOK_LIMITS), shape.limit);
      }),
      { numRuns: extent(24, 125) },
    );
  });

  it('answer with every block that went through the feed, before the store has it', async () => {
    await fc.assert(
      fc.asyncProperty(worldBlocks(NOW, MAX_BLOCKS), fc.nat(MAX_BLOCKS), async (blocks, committed) => {
        const ahead = world(DEFAULT_BOOK_LIMITS);
        const settled = world(DEFAULT_BOOK_LIMITS);
        for (const [index, block] of blocks.entries()) {
          for (const each of [ahead, settled]) {
            each.publish(block);
            if (each === settled || index < committed) each.commit(0);
          }
          // The kept answers of the block before have to give way.
          for (const mint of WORLD_MINTS) {
            expect(await defaultAnswers(ahead.books, mint)).toEqual(await defaultAnswers(settled.books, mint));
          }
        }
        for (const mint of WORLD_MINTS) {
          expect(await everyAnswer(ahead.books, mint, 5, NOW)).toEqual(await everyAnswer(settled.books, mint, 5, NOW));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('lose and repeat no row over the pages of a walk, whatever its order and limit', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.constantFrom(SMALL, TINY), async (shape, limits) => {
        const { books } = await run(shape, limits);
        for (const mint of WORLD_MINTS) {
          const expected = shape.blocks
            .flatMap(({ swaps, attempts, transfers }) => [
              ...[...swaps, ...attempts],
              ...transfers.filter(({ hidden }) => !hidden),
            ])
            .filter((row) => row.mint === mint)
            .map((row) => [row.slot, row.block_index, row.ix_index])
            .sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
          if ((await books.snapshot(mint)) instanceof Absence) continue;
          for (const order of ['asc', 'desc'] as const) {
            const page = { order, limit: shape.limit, cursor: undefined, failed: true, transfers: true };
            const rows = (await walkSwaps(books, mint, page)).flatMap((body) => JSON.parse(body).data);
            const places = rows.map((row) => [row.slot, row.block_index, row.ix_index]);
            expect(places).toEqual(order === 'asc' ? expected : expected.toReversed());
          }
        }
      }),
      { numRuns: extent(40, 250) },
    );
  });

  it('are made by the first question: the second one reads nothing', async () => {
    const [block] = fc.sample(
      worldBlocks(NOW, 3).filter((blocks) => blocks[0]!.swaps.length > 0),
      { numRuns: 1, seed: 7 },
    )[0]!;
    const live = world(DEFAULT_BOOK_LIMITS);
    live.publish(block!);
    live.commit(0);
    const mint = block!.swaps[0]!.mint as Address;
    await defaultAnswers(live.books, mint);
    const { count } = live.reads;
    await defaultAnswers(live.books, mint);
    expect(live.reads.count).toBe(count);
  });

  it('have what was asked for once at hand, without a promise, until there is news of the token', async () => {
    const blocks = fc.sample(
      worldBlocks(NOW, 6).filter((each) => each.length > 1 && each.every(({ swaps }) => swaps.length > 0)),
      { numRuns: 1, seed: 7 },
    )[0]!;
    const live = world(DEFAULT_BOOK_LIMITS);
    const { mint } = blocks[0]!.swaps[0]!;
    live.publish(blocks[0]!);
    live.commit(0);
    const made = await defaultAnswers(live.books, mint as Address);
    const kept = asked(live.books, mint as Address);
    expect(kept.every((body) => body instanceof Buffer)).toBe(true);
    expect(kept.map(String)).toEqual(made);
    const later = blocks.slice(1).find(({ swaps }) => swaps.some((swap) => swap.mint === mint))!;
    live.publish(later);
    expect(asked(live.books, mint as Address).every((body) => body instanceof Promise)).toBe(true);
  });

  it('know a mint of which only failed trades were seen', async () => {
    const [tried] = fc
      .sample(worldBlocks(NOW, 5), { numRuns: 50, seed: 7 })
      .flat()
      .filter(({ attempts }) => attempts.length > 0);
    const { mint } = tried!.attempts[0]!;
    const block = {
      ...tried!,
      ...{
        creations: [],
        completions: [],
        graduations: [],
        creatorChanges: [],
        swaps: [],
        transfers: [],
        positions: [],
      },
    };
    for (const committed of [false, true]) {
      const { books, publish, commit } = world(DEFAULT_BOOK_LIMITS);
      publish(block);
      if (committed) commit(0);
      const ask = async (body: Body) => JSON.parse(String(await body));
      expect(await ask(books.snapshot(mint as Address))).toEqual({ mint, partial: true });
      expect(await ask(books.swaps(mint as Address, DEFAULT_PAGE))).toEqual({ data: [] });
      const page = await ask(books.swaps(mint as Address, { ...DEFAULT_PAGE, failed: true }));
      expect(page.data.length).toBe(block.attempts.filter((row) => row.mint === mint).length);
    }
  });

  it('keep nothing about mints that nobody has seen', async () => {
    const live = world(DEFAULT_BOOK_LIMITS);
    expect(await live.books.snapshot(WORLD_MINTS[0]!)).toBeInstanceOf(Absence);
    const { count } = live.reads;
    expect(await live.books.swaps(WORLD_MINTS[0]!, DEFAULT_PAGE)).toBeInstanceOf(Absence);
    expect(live.reads.count).toBeGreaterThan(count);
  });
});

const DEFAULT_PAGE: SwapPage = { order: 'desc', limit: 100, cursor: undefined, failed: false, transfers: false };

async function defaultAnswers(books: TokenBooks, mint: Address): Promise<(string | undefined)[]> {
  const bodies = await Promise.all(asked(books, mint).map(told));
  return bodies.map((body) => body?.toString());
}

/** Answers about a token with default parameters. */
function asked(books: TokenBooks, mint: Address): Body[] {
  return [
    books.snapshot(mint),
    books.swaps(mint, DEFAULT_PAGE),
    books.holders(mint, 50),
    books.activity(mint),
    books.ticks(mint, { quote: undefined, before: undefined, after: undefined, limit: 2_000 }),
    books.candles(mint, { interval: '1m', from: undefined, to: undefined, limit: 300, quote: undefined, fill: false }),
  ];
}
