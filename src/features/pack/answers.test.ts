import { setImmediate as nextEvent } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createForkedWorld, type ForkedScript, forkedScripts, turns } from '../../../test/support/forked-world.ts';
import type { BookReads } from '../../../test/support/token-books.ts';
import { createTokenBooks, type TokenBooksDeps } from '../../../test/support/token-books.ts';
import { WORLD_MINTS } from '../../../test/support/token-world-rows.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Absence } from '../../contract/stamp.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { createPackAnswers, type PartOutcome, type PartRead } from './answers.ts';

const NOW = 1_790_000_000;
const clock: Clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: () => new Promise(() => {}) };

/** Worlds of scripts change faster than any chain. */
const RESTLESS = 100;

type Parts = ReadonlyMap<string, PartRead<Buffer | Absence>>;

/** The questions of a pack that must agree with each other. */
function partsOf(books: ReturnType<typeof createTokenBooks>, mint: Address): Parts {
  const swaps = { order: 'desc', limit: 4, cursor: undefined, failed: false, transfers: false } as const;
  const range = { from: undefined, to: undefined, limit: 5, quote: undefined, fill: false };
  return new Map([
    ['token', () => books.snapshot(mint)],
    ['activity', () => books.activity(mint)],
    ['swaps', () => books.swaps(mint, swaps)],
    ['candles', () => books.candles(mint, { ...range, interval: '1m' })],
    ['holders', () => books.holders(mint, 5)],
  ]);
}

function openBooks(deps: Pick<TokenBooksDeps, 'reads' | 'feed'>) {
  const shelf = createBookShelf({ feed: deps.feed, limits: DEFAULT_BOOK_LIMITS });
  const { sizes } = DEFAULT_BOOK_LIMITS;
  return { shelf, books: createTokenBooks({ solUsd: () => 150, ...deps, shelf, sizes, clock }) };
}

function bodies(outcomes: ReadonlyMap<string, PartOutcome<Buffer | Absence>>): Record<string, string | undefined> {
  return Object.fromEntries(
    [...outcomes].map(([name, outcome]) => [name, 'answer' in outcome ? outcome.answer?.toString() : 'failed']),
  );
}

/** Answers of all parts for a chain that stands still, as it is now. */
function tellStill(
  world: ReturnType<typeof createForkedWorld>,
): (mint: Address) => Promise<Record<string, string | undefined>> {
  const { books } = openBooks(world.settled());
  return async (mint) => {
    const told = [...partsOf(books, mint)].map(async ([name, read]) => [name, String(await read())] as const);
    return Object.fromEntries(await Promise.all(told));
  };
}

/** Reads some of which wait for an event, as those of a store do. */
function eventfulReads(reads: BookReads, waits: readonly number[]): BookReads {
  let at = 0;
  const wrapped = Object.entries(reads).map(([name, read]) => {
    if (typeof read !== 'function') return [name, read];
    const slow = async (...question: unknown[]) => {
      for (let events = waits[at++ % waits.length]!; events > 0; events -= 1) await nextEvent();
      const answer = await (read as (...question: unknown[]) => Promise<unknown>)(...question);
      for (let events = waits[at++ % waits.length]!; events > 0; events -= 1) await nextEvent();
      return answer;
    };
    return [name, slow];
  });
  return Object.fromEntries(wrapped) as BookReads;
}

interface Told {
  readonly mint: Address;
  readonly pack: Record<string, string | undefined>;
  /** The chain as it was from the question to the answer. */
  readonly states: readonly ((mint: Address) => Promise<Record<string, string | undefined>>)[];
}

/** Plays a script whose blocks come between events and in the middle of them, with packs asked for all along. */
async function play(script: ForkedScript, waits: readonly number[]): Promise<Told[]> {
  const world = createForkedWorld(script);
  const { shelf, books } = openBooks({ reads: eventfulReads(world.reads, waits), feed: world.feed });
  const packs = createPackAnswers({ feed: world.feed, shelf, clock, rounds: RESTLESS });
  const states = [tellStill(world)];
  const asked: Promise<Told>[] = [];
  for (const [turn, action] of script.actions.entries()) {
    if (action.kind === 'ask') {
      const mint = WORLD_MINTS[turn % WORLD_MINTS.length]!;
      const since = states.length - 1;
      const pack = packs.together(partsOf(books, mint));
      asked.push(pack.then((told) => ({ mint, pack: bodies(told), states: states.slice(since) })));
    } else {
      world.act(action);
      states.push(tellStill(world));
    }
    const pause = waits[turn % waits.length]!;
    if (pause > 0) await nextEvent();
    else await turns(script.delays[turn % script.delays.length]!);
  }
  return Promise.all(asked);
}

describe('a pack', () => {
  it('is one state of the chain that held while it was asked for, whatever comes, goes, and is waited for', async () => {
    const waits = fc.array(fc.nat(3), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(forkedScripts(NOW), waits, async (script, events) => {
        for (const { mint, pack, states } of await play(script, events)) {
          const possible = await Promise.all(states.map((tell) => tell(mint)));
          // By part, the states that it is an answer of: one of them is every part's.
          const held = Object.entries(pack).map(([name, body]) => [
            name,
            ...possible.flatMap((each, state) => (each[name] === body ? [state] : [])),
          ]);
          const shared = possible.some((_, state) => held.every((each) => each.includes(state)));
          expect(shared ? 'one state' : JSON.stringify(held)).toBe('one state');
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('parts of a pack', () => {
  const still = { feed: { headSlot: 1 }, shelf: { epoch: 0 } };

  it('that take longer than two seconds fail, and the others come as they are', async () => {
    const sleeps: number[] = [];
    const impatient: Clock = {
      ...systemClock,
      elapsed: () => 0,
      sleep: async (ms) => {
        sleeps.push(ms);
      },
    };
    const packs = createPackAnswers({ ...still, clock: impatient });
    const outcomes = await packs.together(
      new Map<string, PartRead<string>>([
        ['quick', () => 'here'],
        ['never', () => new Promise(() => {})],
      ]),
    );
    expect(sleeps).toEqual([2_000]);
    expect(outcomes.get('quick')).toEqual({ answer: 'here' });
    const never = outcomes.get('never') as { fault: ApiError };
    expect([never.fault instanceof ApiError, never.fault.code]).toEqual([true, 'query_timeout']);
    expect([...outcomes.keys()]).toEqual(['quick', 'never']);
  });

  it('that fail, at once or later, are told with what they failed with', async () => {
    const packs = createPackAnswers({ ...still, clock: systemClock });
    const [thrown, rejected] = [new Error('thrown'), new Error('rejected')];
    const outcomes = await packs.together(
      new Map<string, PartRead<string>>([
        ['throws', () => raise(thrown)],
        ['rejects', () => nextEvent().then(() => raise(rejected))],
        ['absent', async () => undefined],
      ]),
    );
    expect([...outcomes]).toEqual([
      ['throws', { fault: thrown }],
      ['rejects', { fault: rejected }],
      ['absent', { answer: undefined }],
    ]);
  });

  it('that are told once more keep what they said when that fails', async () => {
    const feed = { headSlot: 1 };
    const packs = createPackAnswers({ feed, shelf: { epoch: 0 }, clock: systemClock });
    let asked = 0;
    const outcomes = await packs.together(
      new Map<string, PartRead<string>>([
        ['flighty', () => (asked++ === 0 ? 'once' : raise(new Error('again')))],
        ['current', () => `slot ${feed.headSlot}`],
        [
          'slow',
          async () => {
            await nextEvent();
            feed.headSlot = 2;
            return 'read';
          },
        ],
      ]),
    );
    expect(bodies(outcomes as never)).toEqual({ flighty: 'once', current: 'slot 2', slow: 'read' });
  });

  it('are not asked for twice when no block came while the slow ones were waited for', async () => {
    const packs = createPackAnswers({ ...still, clock: systemClock });
    let asked = 0;
    await packs.together(
      new Map<string, PartRead<string>>([
        ['hot', () => `${asked++}`],
        ['cold', () => nextEvent().then(() => `${asked++}`)],
      ]),
    );
    expect(asked).toBe(2);
  });

  it('are asked for a bounded number of times by a chain that never rests', async () => {
    const feed = { headSlot: 1 };
    const packs = createPackAnswers({ feed, shelf: { epoch: 0 }, clock: systemClock });
    const outcomes = await packs.together(new Map([['restless', () => `slot ${feed.headSlot++}`]]));
    expect(outcomes.get('restless')).toEqual({ answer: 'slot 4' });
  });
});

function raise(error: Error): never {
  throw error;
}
