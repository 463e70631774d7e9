import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeRanges, missingRanges } from '../../store/clickhouse/coverage.ts';
import { createHoles } from './holes.ts';

const limits = {
  ...{ chunkSlots: 10, reachSlots: 1_000, alarmMs: 60_000, hopelessTries: 3 },
  ...{ retryMs: 100, maxRetryMs: 400, retryMsPerSlot: 0 },
};

describe('holes', () => {
  it('are what lies between stored slots, oldest first, in chunks; outside of them nothing is missing', () => {
    const holes = createHoles(limits);
    holes.update([], 0);
    expect(holes.next(0)).toBeUndefined();
    holes.update([{ first: 500, last: 510 }], 0);
    expect(holes.next(0)).toBeUndefined();
    const coverage = [
      { first: 500, last: 510 },
      { first: 536, last: 540 },
      { first: 542, last: 550 },
    ];
    holes.update(coverage, 0);
    expect(holes.next(0)).toEqual({ first: 511, last: 520 });
    expect(holes.figures(0)).toMatchObject({ count: 2, slots: 26, oldestSlot: 511, filledSlots: 0 });
    holes.update(mergeRanges([...coverage, { first: 511, last: 535 }]), 0);
    expect(holes.next(0)).toEqual({ first: 541, last: 541 });
    expect(holes.figures(0)).toMatchObject({ count: 1, slots: 1, filledSlots: 25 });
  });

  it('that nobody can fill are asked for again, each time later, while others are filled', () => {
    const holes = createHoles(limits);
    holes.update(
      [
        { first: 1, last: 1 },
        { first: 12, last: 12 },
        { first: 14, last: 20 },
      ],
      0,
    );
    holes.unavailable({ first: 2, last: 11 }, 'pruned', 0);
    expect(holes.next(0)).toEqual({ first: 13, last: 13 });
    holes.unavailable({ first: 13, last: 13 }, 'pruned', 0);
    expect(holes.next(99)).toBeUndefined();
    const asked: number[] = [];
    for (let now = 100; now < 2_000; now += 1) {
      if (holes.next(now)?.first !== 2) continue;
      asked.push(now);
      holes.unavailable({ first: 2, last: 11 }, 'pruned', now);
    }
    expect(asked).toEqual([100, 300, 700, 1_100, 1_500, 1_900]);
  });

  it('that are long are asked for again less often', () => {
    const holes = createHoles({ ...limits, retryMsPerSlot: 50 });
    holes.update(mergeRanges([1, 22].map((slot) => ({ first: slot, last: slot }))), 0);
    for (let range = holes.next(0); range !== undefined; range = holes.next(0)) holes.unavailable(range, 'pruned', 0);
    expect(holes.next(999)).toBeUndefined();
    expect(holes.next(1_000)).toEqual({ first: 2, last: 11 });
  });

  it('that one slot was lost of do not keep back the rest, which was put off with it', () => {
    const holes = createHoles(limits);
    let coverage = mergeRanges([
      { first: 1, last: 1 },
      { first: 102, last: 110 },
    ]);
    holes.update(coverage, 0);
    for (let range = holes.next(0); range !== undefined; range = holes.next(0)) holes.unavailable(range, 'away', 0);
    expect(holes.figures(0)).toMatchObject({ unavailableSlots: 100 });
    // The node is back, and has all but one.
    for (let now = 100; now < 10_000; now += 10) {
      holes.update(coverage, now);
      const range = holes.next(now);
      if (range === undefined) continue;
      const isLost = range.first <= 5 && range.last >= 5;
      if (isLost) holes.unavailable({ first: 5, last: 5 }, 'lost', now);
      coverage = mergeRanges([...coverage, ...(isLost ? missingRanges([{ first: 5, last: 5 }], range) : [range])]);
    }
    holes.update(coverage, 10_000);
    expect(holes.figures(10_000)).toMatchObject({ count: 1, slots: 1, oldestSlot: 5, unavailableSlots: 1 });
  });

  it('may be any number, near and far, and count as put off only as far as they are still missing', () => {
    const holes = createHoles({ ...limits, reachSlots: 1_000_000 });
    const every = (step: number) =>
      Array.from({ length: 150_000 }, (_, place) => ({ first: place * step, last: place * step }));
    const coverage = mergeRanges(every(3));
    holes.update(coverage, 0);
    expect(holes.figures(0)).toMatchObject({ count: 149_999, slots: 299_998 });
    // More of them than are remembered one by one.
    for (let n = 0; n < 1_100; n += 1) holes.unavailable(holes.next(0)!, 'lost', 0);
    expect(holes.figures(0)).toMatchObject({ unavailableSlots: 2_200 });
    expect(holes.next(0)).toEqual({ first: 3_301, last: 3_302 });
    holes.update(mergeRanges([...coverage, { first: 1, last: 1 }]), 0);
    expect(holes.figures(0)).toMatchObject({ count: 149_999, unavailableSlots: 2_199, filledSlots: 1 });
  });

  it('are an alarm when they are old, or hopeless, or nobody can be asked', () => {
    const holes = createHoles(limits);
    const coverage = [
      { first: 1, last: 1 },
      { first: 9, last: 9 },
    ];
    holes.update(coverage, 0);
    expect(holes.trouble(50_000, undefined)).toBeUndefined();
    expect(holes.trouble(0, 'no node')).toBe('7 slots are missing, the oldest from 2 to 8: no node');
    expect(holes.trouble(60_000, undefined)).toMatch('are being filled');
    for (let tries = 0; tries < 3; tries += 1) {
      expect(holes.trouble(0, undefined)).toBeUndefined();
      holes.unavailable({ first: 2, last: 8 }, 'pruned', 0);
    }
    expect(holes.trouble(0, undefined)).toMatch('pruned');
    holes.update([{ first: 1, last: 9 }], 0);
    expect(holes.trouble(60_000, undefined)).toBeUndefined();
  });

  it('beyond reach are left alone, and said to be', () => {
    const holes = createHoles(limits);
    holes.update(
      [
        { first: 1, last: 1 },
        { first: 30, last: 5_000 },
      ],
      0,
    );
    expect(holes.next(0)).toBeUndefined();
    expect(holes.trouble(0, undefined)).toMatch('mintscope backfill --from 2 --to 29');
  });

  it('keep their age from run to run by how far the chain is past them, and while they shrink', () => {
    const holes = createHoles(limits);
    holes.update(
      [
        { first: 1, last: 1 },
        { first: 11, last: 510 },
      ],
      1_000_000,
    );
    expect(holes.figures(1_000_000)).toMatchObject({ oldestAgeMs: 200_000 });
    holes.update(
      [
        { first: 1, last: 4 },
        { first: 11, last: 900 },
      ],
      1_010_000,
    );
    expect(holes.figures(1_010_000)).toMatchObject({ oldestSlot: 5, oldestAgeMs: 210_000 });
  });

  it('are all asked for, whatever is put off', () => {
    const ranges = fc.array(
      fc.record({ first: fc.integer({ min: 1, max: 300 }), length: fc.integer({ min: 0, max: 9 }) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(ranges, fc.array(fc.boolean(), { minLength: 1 }), (given, moods) => {
        const holes = createHoles({ ...limits, reachSlots: 1_000 });
        let coverage = mergeRanges(given.map(({ first, length }) => ({ first, last: first + length })));
        for (let now = 0; now < 400 && coverage.length > 1; now += 1) {
          holes.update(coverage, now * 10);
          const range = holes.next(now * 10);
          if (range === undefined) continue;
          expect(range.last - range.first).toBeLessThan(limits.chunkSlots);
          expect(coverage.some(({ first, last }) => first <= range.last && range.first <= last)).toBe(false);
          if (moods[now % moods.length] === true && now < 100) holes.unavailable(range, 'mood', now * 10);
          else coverage = mergeRanges([...coverage, range]);
        }
        expect(coverage).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });
});
