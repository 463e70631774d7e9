import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextRenewal } from './periods.ts';

const time = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 0, 1) });
const next = (anchor: string, after: string) =>
  new Date(nextRenewal(Date.parse(anchor), Date.parse(after))).toISOString();

describe('the next renewal', () => {
  it.each([
    ['2026-01-15T10:30:00Z', '2026-01-15T10:30:00Z', '2026-02-15T10:30:00.000Z'],
    ['2026-01-15T10:30:00Z', '2026-06-15T10:29:59Z', '2026-06-15T10:30:00.000Z'],
    ['2026-01-31T00:00:00Z', '2026-01-31T00:00:00Z', '2026-02-28T00:00:00.000Z'],
    ['2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z', '2026-03-31T00:00:00.000Z'],
    ['2026-01-31T00:00:00Z', '2026-03-31T00:00:00Z', '2026-04-30T00:00:00.000Z'],
    ['2027-11-30T23:00:00Z', '2028-01-31T00:00:00Z', '2028-02-29T23:00:00.000Z'],
    ['2026-12-31T12:00:00Z', '2026-12-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
  ])('of an account of %s, after %s, is %s', (anchor, after, expected) => {
    expect(next(anchor, after)).toBe(expected);
  });

  it('comes after, within 31 days, on the day of the anchor or the last of a shorter month', () => {
    fc.assert(
      fc.property(time, time, (one, other) => {
        const [anchor, after] = [Math.min(one, other), Math.max(one, other)];
        const renewal = nextRenewal(anchor, after);
        expect(renewal).toBeGreaterThan(after);
        expect(renewal - after).toBeLessThanOrEqual(31 * 24 * 3_600_000);
        const day = new Date(renewal).getUTCDate();
        const isLast = new Date(renewal + 24 * 3_600_000).getUTCDate() === 1;
        const wanted = new Date(anchor).getUTCDate();
        expect(day === wanted || (isLast && day < wanted)).toBe(true);
        expect(renewal % (24 * 3_600_000)).toBe(anchor % (24 * 3_600_000));
      }),
    );
  });
});
