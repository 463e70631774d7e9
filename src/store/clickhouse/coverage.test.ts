import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addRange,
  coversRange,
  findRange,
  mergeRanges,
  missingRanges,
  newestSlot,
  type SlotRange,
} from './coverage.ts';

const range = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 12 }))
  .map(([first, length]): SlotRange => ({ first, last: first + length }));
const ranges = fc.array(range, { maxLength: 12 });

/** The oracle: a plain set of slots. */
function slotsOf(list: readonly SlotRange[]): Set<number> {
  const slots = new Set<number>();
  for (const { first, last } of list) for (let slot = first; slot <= last; slot++) slots.add(slot);
  return slots;
}

describe('coverage', () => {
  it('holds exactly the slots that were added, in ascending ranges that do not touch', () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const coverage = list.reduce(addRange, mergeRanges([]));
        expect(coverage).toEqual(mergeRanges(list));
        expect(slotsOf(coverage)).toEqual(slotsOf(list));
        for (let i = 1; i < coverage.length; i++) expect(coverage[i]!.first).toBeGreaterThan(coverage[i - 1]!.last + 1);
      }),
    );
  });

  it('leaves alone what it was given', () => {
    const before = mergeRanges([{ first: 1, last: 2 }]);
    addRange(before, { first: 3, last: 9 });
    expect(before).toEqual([{ first: 1, last: 2 }]);
  });

  it('tells covered from missing slots as a set of slots would', () => {
    fc.assert(
      fc.property(ranges, range, (list, asked) => {
        const coverage = mergeRanges(list);
        const slots = slotsOf(list);
        const missing = [...slotsOf([asked])].filter((slot) => !slots.has(slot));
        expect([...slotsOf(missingRanges(coverage, asked))]).toEqual(missing);
        expect(coversRange(coverage, asked)).toBe(missing.length === 0);
        expect(findRange(coverage, asked.first) !== undefined).toBe(slots.has(asked.first));
        expect(newestSlot(coverage)).toBe(Math.max(0, ...slots));
      }),
    );
  });
});
