import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bookLimits } from '../../src/books/book-limits.ts';
import { BASE_PATH } from '../../src/contract/headers.ts';
import { ROUTES } from '../../src/routes.ts';
import type { Subjects } from '../golden/golden-chain.ts';
import { createPerson } from '../golden/golden-people.ts';
import { openGoldenStore } from '../golden/golden-store.ts';
import { type GoldenOptions, type GoldenWorld, openGoldenWorld } from '../golden/golden-world.ts';
import { extent } from '../support/extent.ts';
import { randomBetween } from '../support/random.ts';
import { comparable, difference } from './compared.ts';
import { OUTSIDE, questions } from './questions.ts';

/**
 * Follows every route by the slot of its answers while blocks come and the store lags behind them. The truth of an
 * answer is what a second service answers at the same second, which knows the chain up to that very slot and nothing
 * of what came later: a row too many is a lie, one too few is a loss to whoever goes on from the slot.
 */

/** Blocks that come before the first question. The store is as many behind. */
const STEP = 12;
/** Blocks that come while questions of a round are under way, each at a moment of its own. */
const DURING = extent(2, 4);
/** Longer than any answer is kept. */
const STEP_MS = 31_000;
/** Ticks of a clock that stands still otherwise, while a flush is waited for. */
const TICK_MS = 50;

/** Milliseconds that questions have while everything is written and nothing committed. */
const COMMIT_MS = 500;
/** Times that something is asked at most. */
const TIMES = 10;
/** Milliseconds behind a question at which a block comes at the latest. */
const PUBLISH_MS = 20;
/** Questions that wait at the same time. */
const AT_ONCE = 8;

/** What SOL costs is of no slot, and volumes are told by it. */
const SOL_USD = 150;

/** Refusals of what nothing is known of, that are at least looked at. */
const MIN_ABSENCES = extent(2, 20);
/** One of so many routes is followed, drawn anew with each run. */
const ROUTES_PART = extent(3, 1);
/** Each slot of answers takes a service of its own that knows the chain up to it. */
const SHORT_SLOTS = 4;

interface Followed {
  readonly route: string;
  readonly path: string;
  /** Milliseconds since the worlds were opened: when it was asked, and answered. The clock ticks while flushes are waited for. */
  readonly at: number;
  readonly until: number;
  readonly slot: number;
  readonly status: number;
  readonly body: unknown;
}

/** Asks with a person's key, again where a busy machine had no time for an answer. */
function openAsker({ app }: GoldenWorld, { key, address }: Awaited<ReturnType<typeof createPerson>>) {
  return async (path: string) => {
    for (let times = 1; ; times += 1) {
      const url = BASE_PATH + path;
      const answer = await app.inject({ url, remoteAddress: address, headers: { 'x-api-key': key } });
      const isLate = answer.statusCode >= 503 || answer.body.includes('"query_timeout"');
      if (!isLate || times === TIMES || isUnwritten(answer.body)) return answer;
    }
  };
}

/** A refusal of what stands in blocks alone that are not written yet, as nothing is in a store that has stopped. */
function isUnwritten(body: string): boolean {
  return body.includes('"storage_unavailable"') && body.includes('are being written');
}

/** Does something with all of them, some at a time. */
async function eachOf<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const next = async (): Promise<void> => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) await work(each);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Some routes, among them one that says of new tokens that nothing is known. */
function drawRoutes(): ReadonlySet<string> {
  const all = Object.keys(questions({} as Subjects));
  return new Set(all.filter((route) => route === 'getCounters' || randomBetween(1, ROUTES_PART) === 1));
}

/** Everything that was answered while blocks came. */
async function follow(
  options: GoldenOptions,
  drawn: ReadonlySet<string>,
): Promise<{
  readonly answers: Followed[];
  readonly slots: readonly number[];
  /** Paths of what the store did not have in time. */
  readonly refused: readonly string[];
}> {
  const world = await openGoldenWorld({ ...options, solUsd: SOL_USD });
  const { clock, slots, subjects } = world;
  const answers: Followed[] = [];
  const refused: string[] = [];
  const start = clock.now();
  const asked = Object.entries(questions(subjects)).flatMap(([route, paths]) =>
    drawn.has(route) ? paths.map((path) => ({ route, path })) : [],
  );

  /** Blocks come while some of the questions are under way: others wait to be asked still, and have them. */
  async function askAll(name: string): Promise<void> {
    const ask = openAsker(world, await createPerson(world.database, clock, name));
    const moments = new Set(Array.from({ length: DURING }, () => randomBetween(1, asked.length - 1)));
    let begun = 0;
    await eachOf(asked, async ({ route, path }) => {
      const at = clock.now() - start;
      const answer = ask(path);
      if (moments.has(begun++)) {
        await pause(randomBetween(0, PUBLISH_MS));
        world.publish(1);
      }
      const { statusCode: status, headers, body } = await answer;
      if (status === 503 && isUnwritten(body)) {
        refused.push(path);
        return;
      }
      expect([200, 404], `${path} ${body}`).toContain(status);
      const until = clock.now() - start;
      answers.push({ route, path, at, until, slot: Number(headers['x-indexed-slot']), status, body: JSON.parse(body) });
    });
  }

  /** Whoever waits for a flush sleeps meanwhile. */
  async function ticking(asked: Promise<void>): Promise<void> {
    let isAnswered = false;
    const done = asked.finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      await clock.advance(TICK_MS);
      await pause(TICK_MS);
    }
    await done;
  }

  try {
    world.publish(STEP);
    await ticking(askAll('unstored'));
    clock.freeze(STEP_MS);
    await world.sweep();
    // Everything is in the tables, and the store does not answer for it yet.
    await world.write(STEP);
    const done = askAll('under way');
    await pause(COMMIT_MS);
    world.commit();
    await ticking(done);
    // Of tokens that the store has nothing of: the blocks that come meanwhile are never written.
    const young = [subjects.newborn, subjects.unknown];
    expect(refused.filter((path) => !young.some((mint) => path.includes(mint)))).toEqual([]);
  } finally {
    await world.close();
  }
  return { answers, slots, refused };
}

/** A launch that says that it is not known yet who funded its newest buyers. */
function isUnsettled({ route, body }: Followed): boolean {
  return route.includes('aunch') && typeof body === 'object' && body !== null && 'partial' in body;
}

/** The same without what such a launch may not know yet. */
function withoutLinks(body: unknown): string {
  return JSON.stringify(JSON.parse(comparable(body)), (name, value) =>
    name === 'evidence' || name === 'partial' ? undefined : value,
  );
}

/** The moments at which the answer may have looked at the clock: when it was asked, and in each second until it came. */
function momentsOf({ at, until }: Followed): number[] {
  const moments = [at];
  for (let moment = at - (at % 1_000) + 1_000; moment <= until; moment += 1_000) moments.push(moment);
  return moments;
}

/** Slots whose answers are held against the truth: all of them, in short so many, drawn anew with each run. */
function drawSlots(answers: readonly Followed[], slots: readonly number[]): ReadonlySet<number> {
  const left = slots.filter((slot) => answers.some((answer) => answer.slot === slot));
  const count = Math.min(left.length, extent(SHORT_SLOTS, left.length));
  return new Set(Array.from({ length: count }, () => left.splice(randomBetween(0, left.length - 1), 1)[0]!));
}

/** Answers that differ from those of services that know the chain up to their slots, told in a line each. */
async function faultsOf(answers: readonly Followed[], slots: readonly number[]): Promise<string[]> {
  const faults: string[] = [];
  const shared = await openGoldenStore();
  const drawn = drawSlots(answers, slots);
  for (const [stored, slot] of slots.entries()) {
    const ofSlot = answers.filter((answer) => answer.slot === slot).toSorted((a, b) => a.at - b.at);
    if (!drawn.has(slot)) continue;
    const truth = await openGoldenWorld({ stored, shared, solUsd: SOL_USD });
    try {
      let at = 0;
      const wrong = new Map<Followed, string>();
      for (const moment of [...new Set(ofSlot.flatMap(momentsOf))].sort((a, b) => a - b)) {
        truth.clock.freeze(moment - at);
        at = moment;
        const ask = openAsker(truth, await createPerson(truth.database, truth.clock, `truth ${at}`));
        await eachOf(
          ofSlot.filter((answer) => momentsOf(answer).includes(moment) && (moment === answer.at || wrong.has(answer))),
          async (answer) => {
            const truthOf = isUnsettled(answer) ? withoutLinks : comparable;
            const [told, known] = [answer.body, (await ask(answer.path)).json()].map(truthOf);
            if (told === known) wrong.delete(answer);
            else wrong.set(answer, `${answer.route} ${answer.path} at ${at} of ${slot}: ${difference(told!, known!)}`);
          },
        );
      }
      faults.push(...wrong.values());
    } finally {
      await truth.close();
    }
  }
  await shared.close();
  return faults;
}

/** Parts of packs, as their own routes would have answered them. */
function partsOf({ at, until, path, status, body }: Followed): Followed[] {
  if (status === 404) return [];
  const { mint, parts, slots } = body as {
    mint: string;
    parts: Record<string, unknown>;
    slots: Record<string, number>;
  };
  const tails: Readonly<Record<string, string>> = { token: '', funding_clusters: '/funding-clusters' };
  return Object.entries(parts).map(([part, told]) => ({
    route: `getPack ${part} of ${path}`,
    path: `/tokens/${mint}${tails[part] ?? `/${part}`}`,
    at,
    until,
    slot: slots[part]!,
    status: 200,
    body: told,
  }));
}

/** Books whose sections end in the middle of answers, and such as stay. */
const LET_GO = [
  'of books that are let go all the time',
  { bookLimits: { ...bookLimits(200_000), maxBooks: 2 } },
] as const;
const KEPT = ['of books as large as they are', {}] as const;

describe('the slot of an answer', () => {
  it('is asked about on every route that tells of the chain', () => {
    const told = ROUTES.filter(({ access, method, tag }) => access === 'key' && method === 'GET' && tag !== 'credits');
    const asked = new Set(Object.keys(questions({} as Subjects)));
    const unasked = told.map(({ name }) => name).filter((name) => !asked.has(name) && !OUTSIDE.has(name));
    expect(unasked).toEqual([]);
  });

  it.each(extent([LET_GO], [LET_GO, KEPT]))(
    'holds everything up to it and nothing beyond, out %s',
    async (_name, options) => {
      const drawn = drawRoutes();
      const { answers, slots, refused } = await follow(options, drawn);
      const all = answers.flatMap((answer) => (answer.route === 'getPack' ? [answer, ...partsOf(answer)] : [answer]));
      const strange = all.filter(({ slot }) => !slots.includes(slot));
      expect(strange.map(({ route, slot }) => `${route} ${slot}`)).toEqual([]);
      const told = new Set(answers.flatMap(({ route, status }) => (status === 200 ? [route] : [])));
      expect([...drawn].filter((route) => !told.has(route))).toEqual([]);
      const absences = answers.filter(({ status }) => status === 404);
      expect(absences.length + refused.length).toBeGreaterThan(MIN_ABSENCES);
      for (const { route, slot, status, body } of answers) {
        if (route !== 'getPack' || status !== 200) continue;
        expect(slot).toBe(Math.min(...Object.values((body as { slots: Record<string, number> }).slots)));
      }
      const faults = await faultsOf(all, slots);
      expect(faults).toEqual([]);
    },
  );
});
