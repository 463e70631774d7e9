import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotOfBody } from '../../src/contract/stamp.ts';
import type { Attempt, BlockFacts } from '../../src/facts/fact.ts';
import { type LandingConditions, landingConditions } from '../../src/features/fee-market/contract-landing.ts';
import { createLandingAnswers } from '../../src/features/fee-market/landing-answers.ts';
import { LandingDay } from '../../src/features/fee-market/landing-day.ts';
import { readFrame } from '../../src/features/fee-market/landing-frame.ts';
import { createLandingReads } from '../../src/features/fee-market/landing-reads.ts';
import { LandingTally } from '../../src/features/fee-market/landing-rules.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createKnownLeaders } from '../../src/leaders/known-leaders.ts';
import { NO_PLACES } from '../../src/leaders/places.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { answerFaults } from '../support/answer-schema.ts';
import { createHandClock } from '../support/hand-clock.ts';
import { scheduleOf, validatorOf } from '../support/leader-schedules.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { timeOf } from './discovery-truth.ts';
import { type LandingWindow, type TrueQuestion, trueLanding } from './landing-truth.ts';

const BLOCKS = 160;
const WINDOWS = ['5m', '1h', '24h'] as const;
const VENUES = [0, 1, 2] as const;
const START = 1_790_000_007;
/** Half an hour apart for a day and three hours, then a minute and a half, then some seconds. */
const secondOf = (block: number) =>
  START + Math.min(block, 54) * 1_800 + Math.min(Math.max(0, block - 54), 40) * 90 + Math.max(0, block - 94) * 11;

/** The same block at another time. */
function movedTo(time: number, facts: BlockFacts): BlockFacts {
  const moved = Object.entries(facts).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((fact: object) => ({ ...fact, time })) : value,
  ]);
  return { ...Object.fromEntries(moved), time } as BlockFacts;
}

const facts: BlockFacts[] = [];
let batches: readonly RowBatch[];
let test: TestStore;
/** A block that comes late: behind it, tokens are traded that were made in it. */
let late: number;
/** The block of tips that nobody could pay. */
let poisoned: number;

/** Reverted buys of a token in a creation's slot that declare more than there is, one of them of two tokens. */
function addPoison(block: number): void {
  const all = facts[block]!;
  const { mint } = all.created[0]!;
  const like = facts
    .flatMap(({ attempts }) => attempts)
    .find(({ venue, budget }) => venue === 0 && budget.source === 0)!;
  const other = facts[block - 1]!.swaps[0]!.mint;
  const attempt = (at: number, ixIndex: number, of: Partial<Attempt>): Attempt => ({
    ...{ ...like, slot: all.slot, time: all.time, blockIndex: 9_000 + at, ixIndex, mint },
    ...{ signature: new Uint8Array(64).fill(at + 1), tip: 10n ** 15n, tipPayable: 5_000n + BigInt(at), ...of },
  });
  const poison = Array.from({ length: 60 }, (_, at) => attempt(at, 1, {}));
  facts[block] = { ...all, attempts: [...all.attempts, ...poison, attempt(0, 2, { mint: other })] };
}

beforeAll(async () => {
  const simulator = createSimulator({ seed: 'landing', sign: false });
  for (let block = 0; block < BLOCKS; block += 1) {
    facts.push(movedTo(secondOf(block), simulator.next().truth.facts('decoded')));
  }
  const isFollowed = ({ created }: BlockFacts, block: number) =>
    created.some(({ mint }) => facts[block + 1]!.swaps.some((swap) => swap.mint === mint && swap.venue === 0));
  late = facts.findIndex((each, block) => block > 62 && block < 128 && isFollowed(each, block));
  poisoned = facts.findIndex((each, block) => block > Math.max(late, 104) && isFollowed(each, block));
  expect(Math.min(late, poisoned)).toBeGreaterThan(0);
  addPoison(poisoned);
  batches = facts.map((each) => toRowBatch(each, []));
  test = await openTestStore();
  await test.store.writer.flush(batches.filter((_, block) => block !== late));
});
afterAll(() => test?.close());

const VALIDATORS = [validatorOf(0, { clientId: 1 }), validatorOf(1), validatorOf(2, { clientId: 0 })];
/** Of an epoch that began in the middle of the day: of the one before nobody knows. */
const scheduleFrom = (firstSlot: number) => scheduleOf(VALIDATORS, [0, 1, 2, 0], { firstSlot, slots: 10_000 });
const EPOCH_BLOCK = 40;
const known = createKnownLeaders(NO_PLACES);

function clientOf(slot: number): string {
  const place = slot - facts[EPOCH_BLOCK]!.slot;
  if (place < 0) return 'unknown';
  return known(VALIDATORS[[0, 1, 2, 0][Math.floor(place / 4) % 4]!]!).client ?? 'unknown';
}

/** Answers of a service that starts now, behind some blocks. */
function open(committed = BLOCKS, of = test) {
  const clock = createHandClock(facts.at(-1)!.time * 1_000);
  const feed = createFeed({ maxHeldBatches: 10 });
  const goTo = (blocks: number) => feed.commit(blocks === 0 ? facts[0]!.slot - 1 : facts[blocks - 1]!.slot, 0);
  goTo(committed);
  const schedule = scheduleFrom(facts[EPOCH_BLOCK]!.slot);
  const leaders = { scheduleAt: () => schedule };
  const answers = createLandingAnswers({
    client: of.store.client,
    feed,
    clock,
    log: silentLogger,
    leaders,
    known,
  });
  return { answers, clock, goTo };
}
type Opened = ReturnType<typeof open>;

async function ask({ answers }: Opened, window: LandingWindow, venue: 0 | 1 | 2) {
  const body = await answers.conditions(window, venue);
  const conditions = JSON.parse(body.toString()) as LandingConditions;
  expect(answerFaults(landingConditions, conditions)).toEqual([]);
  return { conditions, slot: slotOfBody(body) };
}

/** The service has found nothing lacking, and rests. */
async function settled({ answers, clock }: Opened): Promise<void> {
  while (!answers.isWarm || clock.sleeping === 0) {
    await clock.advance(1);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Reads the day to its end: a request alone reads some minutes of it. */
async function warmed(opened: Opened): Promise<Opened> {
  opened.answers.warm();
  await settled(opened);
  return opened;
}

/** Time passes, so that what was told is old and what is lacking is looked for again. */
async function later(opened: Opened): Promise<void> {
  await opened.clock.advance(61_000);
  await settled(opened);
}

async function compare(
  opened: Opened,
  blocks: readonly BlockFacts[],
  told: Partial<TrueQuestion> = {},
  windows: readonly LandingWindow[] = WINDOWS,
) {
  for (const window of windows) {
    for (const venue of VENUES) {
      const { conditions, slot } = await ask(opened, window, venue);
      expect(slot).toBe(blocks.at(-1)!.slot);
      expect(conditions).toEqual(trueLanding(blocks, { window, venue, clientOf, ...told }));
    }
  }
}

const upTo = (block: number) => facts.slice(0, block);

describe('landing conditions', () => {
  it('are those of the chain, before and after a block came late', async () => {
    const before = await warmed(open());
    const withoutLate = facts.filter((_, block) => block !== late);
    const since = facts[late + 1]!.time;
    for (const window of WINDOWS) {
      const { conditions } = await ask(before, window, 0);
      const truth = trueLanding(withoutLate, { window, venue: 0, clientOf });
      // The hole is in windows that begin before it.
      const isCut = window !== '5m';
      expect(conditions).toEqual(isCut ? { ...truth, since: timeOf(since) } : truth);
    }
    await test.store.writer.flush([batches[late]!]);
    // Whoever asked before is told of it as soon as what they were told is old.
    await later(before);
    await compare(before, facts);
    before.answers.close();
  });

  it('tell nothing newer than their slot, and each newer block once it is there', async () => {
    const opened = await warmed(open(120));
    for (const blocks of [120, 134]) {
      opened.goTo(blocks);
      await later(opened);
      await compare(opened, upTo(blocks));
    }
    opened.answers.close();
  });

  it('do not let a tip that nobody could pay move what is told of tips', async () => {
    const { conditions } = await ask(open(poisoned + 1), '5m', 0);
    const tips = Object.values(conditions.tip!).map(BigInt);
    for (const tip of tips) expect(tip).toBeLessThan(10n ** 12n);
    const [first] = conditions.by_slot_offset;
    expect(first).toMatchObject({ slots_after_creation: 0 });
    expect(first!.attempts! - first!.landed).toBeGreaterThanOrEqual(60);
    const paid = facts[poisoned]!.swaps.filter(({ venue }) => venue === 0).map(({ tip }) => tip);
    expect(paid.some((tip) => String(tip) === first!.median_tip)).toBe(true);
  });

  it('are those of what landed alone where a source tells of nothing that failed', async () => {
    const landed = facts
      .slice(-60)
      .map((block) => ({ ...block, attempts: [], economics: { ...block.economics, failed: 0 } }));
    const other = await openTestStore();
    try {
      await other.store.writer.flush(landed.map((block) => toRowBatch(block, [])));
      const opened = await warmed(open(BLOCKS, other));
      await compare(opened, landed, { revertedKnown: false, since: landed[0]!.time }, ['1h']);
      opened.answers.close();
    } finally {
      await other.close();
    }
  });

  it.each(['1h', '24h'] as const)(
    'of a service that has just begun are of the newest minutes in %s, and say so',
    async (window) => {
      const { conditions } = await ask(open(), window, 0);
      const since = Date.parse(conditions.since!) / 1_000;
      expect(since % 60).toBe(0);
      expect(since).toBeGreaterThan(facts.at(-1)!.time - 3_600);
      expect(conditions).toEqual(trueLanding(facts, { window, venue: 0, clientOf, since }));
    },
  );

  it.each([
    ['swaps', 'attempts'],
    ['attempts', 'swaps'],
  ])('are of what is kept of %s too, from its second on, and say so', async (shorter, longer) => {
    const since = facts.at(-15)!.time;
    expect(since % 60).not.toBe(0);
    const clock = createHandClock(facts.at(-1)!.time * 1_000);
    const reads = createLandingReads(test.store.client);
    const wholeSince = async () =>
      new Map([
        [shorter, since],
        [longer, since - 40],
      ]);
    const deps = { client: test.store.client, reads, feed: { committedSlot: facts.at(-1)!.slot }, clock };
    for (const window of WINDOWS) {
      const frame = await readFrame({ ...deps, unbroken: async () => ({ first: 0, since: 0 }), wholeSince }, window);
      expect(frame).toMatchObject({ from: since, since });
      if (window === '5m') continue;
      const { spans, since: read } = await new LandingDay(reads).open(frame!, async () => {});
      expect(read).toBeUndefined();
      const tally = new LandingTally();
      for (const span of spans) tally.add(span, 0, clientOf);
      const truth = trueLanding(facts, { window, venue: 0, clientOf, since });
      expect(tally).toMatchObject({ attempts: truth.attempts, landed: truth.landed });
    }
  });

  it('are none without a block', async () => {
    for (const window of WINDOWS) {
      await expect(ask(open(0), window, 0)).rejects.toMatchObject({ code: 'warming_up' });
    }
  });
});
