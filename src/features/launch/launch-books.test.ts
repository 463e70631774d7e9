import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { extent } from '../../../test/support/extent.ts';
import { createForkedWorld, forkedScripts, turns } from '../../../test/support/forked-world.ts';
import {
  everyLaunchAnswer,
  launchBlocks,
  launchReadsOver,
  NO_FUNDERS,
  openLaunchBooks,
} from '../../../test/support/launch-books.ts';
import { CREATOR, LAUNCH_MINT, landed, launchScripts, leg } from '../../../test/support/launch-script.ts';
import { createMemoryReads } from '../../../test/support/memory-reads.ts';
import { slowRace } from '../../../test/support/slow-race.ts';
import { partialBlock, worldBatch, worldBlocks } from '../../../test/support/token-world.ts';
import { WORLD_MINTS, type WorldBlock } from '../../../test/support/token-world-rows.ts';
import { told } from '../../../test/support/told.ts';
import { type BookLimits, DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import { Absence } from '../../contract/stamp.ts';
import { createFeed } from '../../feed/in-process.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createLaunchBooks, type LaunchBooks } from './answers.ts';
import { getLaunch, getLaunchRace, listFirstBuyers } from './contract.ts';

const NOW = 1_790_000_000;
const MAX_BLOCKS = 14;
/** Every question is one for the store. */
const NONE: BookLimits = { ...DEFAULT_BOOK_LIMITS, maxBooks: 0 };
/** Books that forget now and then. */
const SMALL: BookLimits = { ...DEFAULT_BOOK_LIMITS, maxBooks: 2, maxSections: 3 };

interface Script {
  readonly blocks: readonly WorldBlock[];
  /** Blocks that the store lags behind the feed. */
  readonly lag: number;
  readonly asks: readonly boolean[];
}

const script: fc.Arbitrary<Script> = fc.record({
  blocks: worldBlocks(NOW, MAX_BLOCKS),
  lag: fc.nat(4),
  asks: fc.array(fc.boolean(), { minLength: MAX_BLOCKS, maxLength: MAX_BLOCKS }),
});

/** Blocks in any order, some of them single transactions without their block. */
const disorderly = fc
  .record({
    script,
    order: fc.array(fc.nat(), { minLength: MAX_BLOCKS, maxLength: MAX_BLOCKS }),
    partial: fc.array(fc.boolean(), { minLength: MAX_BLOCKS, maxLength: MAX_BLOCKS }),
  })
  .map(({ script: { blocks, ...rest }, order, partial }) => ({
    ...rest,
    blocks: blocks
      .map((block, index) => ({ block: partial[index] ? partialBlock(block) : block, at: order[index]! }))
      .sort((a, b) => a.at - b.at)
      .map(({ block }) => block),
  }));

/** Runs blocks through feed and store as ingest does, and asks now and then while they arrive. */
async function run({ blocks, lag, asks }: Script, limits: BookLimits) {
  const reads = createMemoryReads();
  const feed = createFeed({ maxHeldBatches: 100 });
  const books = openLaunchBooks({ reads, feed, limits });
  const waiting: WorldBlock[] = [];
  const commit = (left: number) => {
    while (waiting.length > left) {
      const block = waiting.shift()!;
      reads.add(block);
      feed.commit(block.slot, 1);
    }
  };
  for (const [index, block] of blocks.entries()) {
    const early = asks[index] ? everyLaunchAnswer(books, WORLD_MINTS[index % 3]!) : undefined;
    waiting.push(block);
    const isPartial = [...block.swaps, ...block.creations, ...block.attempts].some(({ partial }) => partial);
    feed.publish(worldBatch(block, !isPartial));
    commit(lag);
    await early;
  }
  commit(0);
  return { reads, feed, books };
}

async function everything(books: LaunchBooks) {
  return Promise.all(WORLD_MINTS.map((mint) => everyLaunchAnswer(books, mint)));
}

describe('books of launches', () => {
  it.each([
    ['in order', script],
    ['late, out of order or in single transactions', disorderly],
  ])('give the same bytes as the store does after blocks that came %s', async (_, scripts) => {
    await fc.assert(
      fc.asyncProperty(scripts, fc.constantFrom(SMALL, DEFAULT_BOOK_LIMITS), async (shape, limits) => {
        const { reads, feed, books } = await run(shape, limits);
        const expected = await everything(openLaunchBooks({ reads, feed, limits: NONE }));
        expect(await everything(books)).toEqual(expected);
        // And again, when everything that can be kept is.
        expect(await everything(books)).toEqual(expected);
      }),
      { numRuns: extent(50, 150) },
    );
  });

  it('answer with every block that went through the feed, before the store has it', async () => {
    await fc.assert(
      fc.asyncProperty(worldBlocks(NOW, MAX_BLOCKS), fc.nat(MAX_BLOCKS), async (blocks, committed) => {
        const [ahead, settled] = [0, 1].map(() => {
          const reads = createMemoryReads();
          const feed = createFeed({ maxHeldBatches: 100 });
          return { reads, feed, books: openLaunchBooks({ reads, feed, limits: DEFAULT_BOOK_LIMITS }) };
        }) as [Awaited<ReturnType<typeof run>>, Awaited<ReturnType<typeof run>>];
        for (const [index, block] of blocks.entries()) {
          for (const each of [ahead, settled]) {
            each.feed.publish(worldBatch(block));
            if (each === ahead && index >= committed) continue;
            each.reads.add(block);
            each.feed.commit(block.slot, 1);
          }
          expect(await everything(ahead.books)).toEqual(await everything(settled.books));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('tell what is on the chain now, whatever was withdrawn or slipped beneath on the way', async () => {
    await fc.assert(
      fc.asyncProperty(forkedScripts(NOW), async (forked) => {
        const live = createForkedWorld(forked);
        const books = openLaunchBooks({ ...live, limits: DEFAULT_BOOK_LIMITS });
        const asked: Promise<unknown>[] = [];
        for (const [turn, action] of forked.actions.entries()) {
          if (action.kind === 'ask') asked.push(everyLaunchAnswer(books, WORLD_MINTS[turn % 3]!));
          else live.act(action);
          await turns(forked.delays[turn % forked.delays.length]!);
        }
        const expected = () => everything(openLaunchBooks({ ...live.settled(), limits: NONE }));
        expect(await everything(books)).toEqual(await expected());
        live.commitAll();
        await Promise.all(asked);
        expect(await everything(books)).toEqual(await expected());
      }),
      { numRuns: extent(40, 100) },
    );
  });

  it('follow a launch from its first second to past the end of its race', async () => {
    await fc.assert(
      fc.asyncProperty(launchScripts(30, { partial: false }), fc.constantFrom(1, 75), async (launch, stretch) => {
        const blocks = launchBlocks(launch.map((each) => ({ ...each, after: each.after * stretch })));
        const reads = createMemoryReads();
        const feed = createFeed({ maxHeldBatches: 100 });
        const books = openLaunchBooks({ reads, feed, limits: DEFAULT_BOOK_LIMITS });
        for (const block of blocks) {
          feed.publish(worldBatch(block));
          reads.add(block);
          feed.commit(block.slot, 1);
          const cold = openLaunchBooks({ reads, feed, limits: NONE });
          expect(await everyLaunchAnswer(books, LAUNCH_MINT)).toEqual(await everyLaunchAnswer(cold, LAUNCH_MINT));
        }
        const race = JSON.parse(String(await books.race(LAUNCH_MINT, 150)));
        expect(race.attempts).toBe(
          slowRace(
            launch.filter(({ after }) => after * stretch < 150),
            150,
          ).attempts.length,
        );
      }),
      { numRuns: extent(40, 100) },
    );
  });

  it('have what was asked for at hand, until there is news of the token', async () => {
    const { books } = await run({ blocks: traded(), lag: 0, asks: [] }, DEFAULT_BOOK_LIMITS);
    const ask = () => [
      books.launch(WORLD_MINTS[0]!, 150),
      books.race(WORLD_MINTS[0]!, 30),
      books.firstBuyers(WORLD_MINTS[0]!, 50),
    ];
    const made = (await Promise.all(ask())).map(String);
    expect(ask().every((body) => body instanceof Buffer)).toBe(true);
    expect(ask().map(String)).toEqual(made);
  });

  it('are partial while it is not settled who funded the newest buyers, and only so long', async () => {
    const reads = createMemoryReads();
    const feed = createFeed({ maxHeldBatches: 1 });
    for (const block of launchBlocks([landed(0, 50, leg(CREATOR))])) {
      reads.add(block);
      feed.commit(block.slot, 0);
    }
    let isSettled = false;
    const books = createLaunchBooks({
      reads: { ...reads, ...launchReadsOver(reads) },
      shelf: createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS }),
      wholeSince: async () => new Map(),
      coverage: async () => [{ first: 1, last: 2 ** 32 - 1 }],
      isWhole: async () => true,
      ...{ feed, clock: systemClock },
      funders: {
        of: async () => ({
          ...(await NO_FUNDERS.of({ mint: LAUNCH_MINT, creation: undefined, swaps: [] })),
          isSettled,
        }),
      },
    });
    const partial = async () => JSON.parse(String(await books.launch(LAUNCH_MINT, 150))).partial;
    expect(await partial()).toBe(true);
    isSettled = true;
    expect(await partial()).toBeUndefined();
  });

  it('weigh the answers that their sections keep, however large', async () => {
    const reads = createMemoryReads();
    const feed = createFeed({ maxHeldBatches: 1 });
    const buy = { tip: 1n, router: WORLD_MINTS[2]! };
    for (const block of launchBlocks(Array.from({ length: 500 }, (_, after) => landed(after, 50, leg(CREATOR), buy)))) {
      reads.add(block);
      feed.commit(block.slot, 0);
    }
    const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
    const bounds = { wholeSince: async () => new Map(), coverage: async () => [], isWhole: async () => true };
    const books = createLaunchBooks({
      reads: { ...reads, ...launchReadsOver(reads) },
      shelf,
      ...bounds,
      feed,
      clock: systemClock,
      funders: NO_FUNDERS,
    });
    await books.launch(LAUNCH_MINT, 1);
    const before = shelf.memory.bytes;
    const body = await told(books.launch(LAUNCH_MINT, 500));
    expect(body!.length).toBeGreaterThan(512 * 1024);
    expect(shelf.memory.bytes - before).toBeGreaterThanOrEqual(body!.length);
  });

  it('say what their contracts do', async () => {
    const faults = new Set<string>();
    for (const blocks of fc.sample(worldBlocks(NOW, MAX_BLOCKS), { numRuns: 40, seed: 5 })) {
      for (const shape of [blocks, blocks.map(partialBlock)]) {
        const { books } = await run({ blocks: shape, lag: 0, asks: [] }, DEFAULT_BOOK_LIMITS);
        for (const mint of WORLD_MINTS) {
          for (const [route, body] of [
            [getLaunch, await books.launch(mint, 150)],
            [getLaunchRace, await books.race(mint, 30)],
            [listFirstBuyers, await books.firstBuyers(mint, 50)],
          ] as const) {
            if (body instanceof Absence) continue;
            for (const fault of answerFaults(route, JSON.parse(body.toString()))) faults.add(fault);
          }
        }
      }
    }
    expect([...faults]).toEqual([]);
  });

  it('know nothing of mints that nobody has seen', async () => {
    const { books } = await run({ blocks: [], lag: 0, asks: [] }, DEFAULT_BOOK_LIMITS);
    for (const body of [
      books.launch(WORLD_MINTS[0]!, 1),
      books.race(WORLD_MINTS[0]!, 1),
      books.firstBuyers(WORLD_MINTS[0]!, 1),
    ]) {
      expect(await body).toBeInstanceOf(Absence);
    }
  });
});

/** Blocks of which one at least swaps the first mint. */
function traded(): WorldBlock[] {
  const isTraded = (blocks: readonly WorldBlock[]) =>
    blocks.some(({ swaps }) => swaps.some(({ mint }) => mint === WORLD_MINTS[0]));
  return fc.sample(worldBlocks(NOW, MAX_BLOCKS).filter(isTraded), { numRuns: 1, seed: 7 })[0]!;
}
