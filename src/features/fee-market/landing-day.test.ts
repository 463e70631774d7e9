import { describe, expect, it } from 'vitest';
import { LandingDay } from './landing-day.ts';
import type { LandingFrame } from './landing-frame.ts';
import type { LandingReads, LandingSpan, LandingSumsRow } from './landing-reads.ts';

const START = 600_000;
const SLOTS = 150;

/** A chain of minutes of 150 slots each, of which the day asks. */
function open({ maxBytes = 10 ** 9 } = {}) {
  const asked: LandingSpan[] = [];
  /** A late block changes how many attempts a minute has. */
  const more = new Map<number, number>();
  const attemptsAt = (start: number) => 10 + (start % 7) + (more.get(start) ?? 0);
  const startsIn = ({ since, until }: LandingSpan) => {
    const starts: number[] = [];
    for (let start = since - (since % 60); start <= until; start += 60) starts.push(start);
    return starts;
  };
  const rowsOf = (span: LandingSpan): LandingSumsRow[] =>
    startsIn(span).map((start) => ({
      ...{ start, venue: 0, kind: 0, in_slot: 0, slots_behind: 0, bid: 0 },
      ...{ attempts: attemptsAt(start), landings: 5, unknown: 0 },
    }));
  const reads: Pick<LandingReads, 'minutes' | 'manyMinutes' | 'slots' | 'reasonsByMinute'> = {
    async minutes(span) {
      asked.push(span);
      return rowsOf(span);
    },
    async *manyMinutes(span) {
      asked.push(span);
      yield rowsOf(span);
    },
    slots: async (span) =>
      startsIn(span).map((start) => ({ slot: 1_000 + ((start - START) / 60) * SLOTS, time: start })),
    reasonsByMinute: async () => [],
  };
  const frameAt = (now: number, from = START, windowFrom = from): LandingFrame => {
    const minutes = [];
    for (let start = from - (from % 60); start <= now; start += 60) {
      const first = 1_000 + ((start - START) / 60) * SLOTS;
      const blocks = 100 + (more.get(start) ?? 0);
      minutes.push({ start, first, last: first + SLOTS - 1, blocks, slots: 7n, transactions: 1n, failed: 1n });
    }
    const inWindow = minutes.filter(({ start }) => start >= windowFrom);
    const coverage = [{ first: 0, last: 10 ** 6 }];
    return { mark: 10 ** 6, now, from: windowFrom, since: undefined, minutes: inWindow, kept: minutes, coverage };
  };
  const day = new LandingDay(reads, maxBytes);
  const fill = (now: number, most = 10) =>
    day.fill(frameAt(now), { most, turn: async () => {}, signal: new AbortController().signal });
  const sumAt = async (now: number, from?: number, windowFrom?: number) => {
    const { spans, since } = await day.open(frameAt(now, from, windowFrom), async () => {});
    return { attempts: spans.reduce((sum, { venues }) => sum + venues.get(0)!.attempts, 0), since };
  };
  const trueSum = (from: number, now: number) =>
    startsIn({ first: 0, last: 0, since: from, until: now }).reduce((sum, start) => sum + attemptsAt(start), 0);
  return { asked, more, day, fill, sumAt, trueSum };
}

describe('the minutes of a day', () => {
  it('are read by the service from the newest back, so many at once, and each once', async () => {
    const { asked, day, fill } = open();
    const now = START + 34 * 60 + 20;
    let reads = 0;
    while (await fill(now)) reads += 1;
    expect([reads, day.size]).toEqual([4, 34]);
    expect(asked.map(({ since }) => (since - START) / 60)).toEqual([24, 14, 4, 0]);
    expect(asked.map(({ until }) => until)).toEqual([33, 23, 13, 3].map((place) => START + place * 60 + 59));
  });

  it('of a service that has just begun are as many as a request can read, and say since when', async () => {
    const { fill, sumAt, trueSum } = open();
    const now = START + 34 * 60 + 20;
    const since = START + 29 * 60;
    expect(await sumAt(now)).toEqual({ attempts: trueSum(since, now), since });
    await fill(now, 5);
    expect(await sumAt(now)).toMatchObject({ since: START + 19 * 60 });
    while (await fill(now));
    expect(await sumAt(now)).toEqual({ attempts: trueSum(START, now), since: undefined });
  });

  it('are kept but for the running one', async () => {
    const { asked, fill, sumAt, trueSum } = open();
    const now = START + 34 * 60 + 20;
    while (await fill(now));
    asked.length = 0;
    await sumAt(now);
    await sumAt(now + 30);
    expect(asked.map(({ since, until }) => [since, until])).toEqual([
      [START + 34 * 60, now],
      [START + 34 * 60, now + 30],
    ]);
    asked.length = 0;
    // Two of them are over meanwhile.
    expect(await sumAt(now + 120)).toEqual({ attempts: trueSum(START, now + 120), since: undefined });
    expect(asked.map(({ since, until }) => [since, until])).toEqual([[START + 34 * 60, now + 120]]);
  });

  it('are read again when a block came late, wherever that is', async () => {
    const { asked, more, fill, sumAt, trueSum } = open();
    const now = START + 200 * 60 + 20;
    while (await fill(now, 60));
    asked.length = 0;
    more.set(START + 17 * 60, 3);
    expect(await sumAt(now)).toEqual({ attempts: trueSum(START, now), since: undefined });
    // The one behind it as well, in which a token of it may still be new.
    expect(asked[0]).toMatchObject({ since: START + 17 * 60, until: START + 18 * 60 + 59 });
    expect(await fill(now)).toBe(false);
  });

  it('are let go with the window', async () => {
    const { day, fill, sumAt, trueSum } = open();
    const now = START + 34 * 60 + 20;
    while (await fill(now));
    const from = START + 20 * 60;
    expect(await sumAt(now, from)).toEqual({ attempts: trueSum(from, now), since: undefined });
    expect(day.size).toBe(14);
  });

  it('of a shorter window are those of the day, which keeps all of its own', async () => {
    const { asked, day, fill, sumAt, trueSum } = open();
    const now = START + 34 * 60 + 20;
    while (await fill(now));
    asked.length = 0;
    const from = START + 30 * 60;
    expect(await sumAt(now, START, from)).toEqual({ attempts: trueSum(from, now), since: undefined });
    expect(day.size).toBe(34);
    expect(await sumAt(now)).toEqual({ attempts: trueSum(START, now), since: undefined });
    expect(asked.map(({ since }) => since)).toEqual([START + 34 * 60, START + 34 * 60]);
  });

  it('of a shorter window are read with a request for it, and no others', async () => {
    const { asked, day, sumAt, trueSum } = open();
    const now = START + 34 * 60 + 20;
    const from = START + 32 * 60;
    expect(await sumAt(now, START, from)).toEqual({ attempts: trueSum(from, now), since: undefined });
    expect(asked.map(({ since, until }) => [since, until])).toEqual([[from, now]]);
    expect(day.size).toBe(2);
  });

  it('have a bound, beyond which the oldest go and what is told says so', async () => {
    const { asked, day, fill, sumAt } = open({ maxBytes: 40_000 });
    const now = START + 34 * 60 + 20;
    while (await fill(now));
    expect(day.bytes).toBeLessThanOrEqual(40_000);
    const kept = day.size;
    expect(kept).toBeGreaterThan(5);
    expect(kept).toBeLessThan(30);
    expect((await sumAt(now)).since).toBe(START + (34 - kept) * 60);
    // Nobody reads again and again what finds no room.
    asked.length = 0;
    expect(await fill(now)).toBe(false);
    expect(asked).toEqual([]);
  });
});
