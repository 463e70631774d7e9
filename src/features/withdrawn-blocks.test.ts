import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyAnswer } from '../../test/support/every-answer.ts';
import { extent } from '../../test/support/extent.ts';
import { openLists } from '../../test/support/followed-lists.ts';
import { createForkedWorld, type ForkedScript, forkedScripts, turns } from '../../test/support/forked-world.ts';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import type { TokenBooks } from '../../test/support/token-books.ts';
import { openTokenBooks } from '../../test/support/token-books.ts';
import { worldBlocks } from '../../test/support/token-world.ts';
import { WORLD_MINTS } from '../../test/support/token-world-rows.ts';
import { type BookLimits, DEFAULT_BOOK_LIMITS, DEFAULT_LIST_LIMITS } from '../books/book-limits.ts';
import { createFeed } from '../feed/in-process.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TokenFilter, TokenLists } from './tokens/lists.ts';

const NOW = 1_790_000_000;
const LIMIT = 3;
let elapsed = 0;
const clock: Clock = {
  now: () => NOW * 1000,
  // So much between two looks that a list is read again whenever there is a reason to.
  elapsed: () => {
    elapsed += 60_000;
    return elapsed;
  },
  sleep: () => new Promise(() => {}),
};
/** Books that forget now and then. */
const FORGETFUL: BookLimits = { ...DEFAULT_BOOK_LIMITS, maxBooks: 2, maxSections: 6 };
/** The orders end in the middle of what there is. */
const SHORT_LISTS = { ...DEFAULT_LIST_LIMITS, tokens: 2 };

const FILTER: TokenFilter = {
  sort: 'newest',
  graduated: undefined,
  creator: undefined,
  from: undefined,
  to: undefined,
  limit: 2,
  cursor: undefined,
};

/** Runs a script; `ask` begins questions that are still being answered while it goes on, and after it. */
async function run(
  live: ReturnType<typeof createForkedWorld>,
  { actions, delays }: ForkedScript,
  ask: (turn: number) => Promise<unknown>,
): Promise<readonly Promise<unknown>[]> {
  const asked: Promise<unknown>[] = [];
  for (const [turn, action] of actions.entries()) {
    if (action.kind === 'ask') asked.push(ask(turn));
    else live.act(action);
    await turns(delays[turn % delays.length]!);
  }
  return asked;
}

async function tokenAnswers(books: TokenBooks): Promise<unknown> {
  return Promise.all(WORLD_MINTS.map((mint) => everyAnswer(books, mint, LIMIT, NOW)));
}

async function listAnswers(lists: TokenLists): Promise<string[]> {
  return [
    ...(await walk(lists, FILTER)),
    ...(await walk(lists, { ...FILTER, sort: 'last_trade', spark: true })),
    ...(await walk(lists, { ...FILTER, sort: 'last_trade', screen: { minTraders: 2, minVolume: 1n } })),
  ];
}

async function walk(lists: TokenLists, filter: TokenFilter): Promise<string[]> {
  const body = (await lists.list(filter)).toString();
  const { next_cursor } = JSON.parse(body);
  return next_cursor === undefined ? [body] : [body, ...(await walk(lists, { ...filter, cursor: next_cursor }))];
}

describe('books over a chain that withdraws blocks, and a store whose holes are filled', () => {
  it('tell of a token what is on the chain now, confirmed or not, whatever was asked on the way', async () => {
    await fc.assert(
      fc.asyncProperty(forkedScripts(NOW), fc.constantFrom(FORGETFUL, DEFAULT_BOOK_LIMITS), async (script, limits) => {
        const live = createForkedWorld(script);
        const books = openTokenBooks({ ...live, clock, limits });
        const asked = await run(live, script, (turn) =>
          everyAnswer(books, WORLD_MINTS[turn % WORLD_MINTS.length]!, LIMIT, NOW),
        );
        const expected = () => tokenAnswers(openTokenBooks({ ...live.settled(), clock, limits: DEFAULT_BOOK_LIMITS }));
        expect(await tokenAnswers(books)).toEqual(await expected());
        // And again, out of what has been kept.
        expect(await tokenAnswers(books)).toEqual(await expected());
        live.commitAll();
        await Promise.all(asked);
        expect(await tokenAnswers(books)).toEqual(await expected());
      }),
      { numRuns: extent(40, 100) },
    );
  });

  it('list the tokens that are on the chain now, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(forkedScripts(NOW), async (script) => {
        const live = createForkedWorld(script);
        const deps = { reads: live.market, windows: live.windows, feed: live.feed, clock };
        const lists = openLists({ solUsd: () => 150, ...deps, limits: DEFAULT_LIST_LIMITS });
        const asked = await run(live, script, () => listAnswers(lists));
        const expected = () => {
          const { market, windows, feed } = live.settled();
          return listAnswers(
            openLists({ solUsd: () => 150, reads: market, windows, feed, clock, limits: DEFAULT_LIST_LIMITS }),
          );
        };
        expect(await listAnswers(lists)).toEqual(await expected());
        live.commitAll();
        await Promise.all(asked);
        expect(await listAnswers(lists)).toEqual(await expected());
      }),
      { numRuns: extent(40, 100) },
    );
  });

  it('list them in order too when most are beyond what is kept, once the store has them', async () => {
    await fc.assert(
      fc.asyncProperty(forkedScripts(NOW), async (script) => {
        const live = createForkedWorld(script);
        // A page of the store is kept for seconds, whatever is committed meanwhile; one that is being read is everybody's.
        let now = NOW;
        const later = { ...clock, now: () => now * 1000 };
        const lists = openLists({
          solUsd: () => 150,
          reads: live.market,
          windows: live.windows,
          feed: live.feed,
          clock: later,
          limits: SHORT_LISTS,
        });
        const asked = await run(live, script, () => listAnswers(lists));
        live.commitAll();
        await Promise.all(asked);
        now += 1;
        const { market, windows, feed } = live.settled();
        const settled = openLists({
          solUsd: () => 150,
          reads: market,
          windows,
          feed,
          clock: later,
          limits: DEFAULT_LIST_LIMITS,
        });
        expect(await listAnswers(lists)).toEqual(await listAnswers(settled));
      }),
      { numRuns: extent(40, 100) },
    );
  });
});

describe('an answer that was begun before a hole beneath it was filled', () => {
  it('is not kept for those who ask later, however late it comes', async () => {
    const blocks = fc
      .sample(worldBlocks(NOW, 30), { numRuns: 20, seed: 3 })
      .reduce((longest, each) => (each.length > longest.length ? each : longest));
    const half = blocks.length >> 1;
    const [before, after] = [blocks.slice(0, half), blocks.slice(half)];
    const isTraded = (some: typeof blocks, mint: string) =>
      some.some(({ swaps }) => swaps.some((swap) => swap.mint === mint));
    const mint = WORLD_MINTS.find((each) => isTraded(before, each) && isTraded(after, each))!;
    const stored = createMemoryReads();
    for (const block of before) stored.add(block);
    const feed = createFeed({ maxHeldBatches: 1 });
    feed.commit(blocks.at(-1)!.slot, 0);
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = 0;
    const reads = {
      ...stored,
      async token(...question: Parameters<typeof stored.token>) {
        asked += 1;
        const isFirst = asked === 1;
        const answer = await stored.token(...question);
        if (isFirst) await released;
        return answer;
      },
    };
    const books = openTokenBooks({ reads, feed, clock, limits: DEFAULT_BOOK_LIMITS });
    const early = books.snapshot(mint);
    await turns(5);
    for (const block of after) stored.add(block);
    feed.changed([mint]);
    const settled = await books.snapshot(mint);
    release();
    expect(await early).not.toEqual(settled);
    expect(await books.snapshot(mint)).toEqual(settled);
  });
});
