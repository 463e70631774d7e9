import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { threeDigitCode } from '../../kernel/three-digits.ts';
import { BID_NUMBERS, numberAt } from './bid-numbers.ts';

describe('numbers of bids', () => {
  it('have room for every bid', () => {
    expect(threeDigitCode(2n ** 64n - 1n)).toBeLessThan(BID_NUMBERS);
  });

  it('tell the bid at a share as a sorted list of all bids does', () => {
    const bids = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(bids, fc.constantFrom(25, 50, 75, 90, 99), (all, percent) => {
        const counts = new Uint32Array(41);
        for (const bid of all) counts[bid]! += 1;
        const sorted = all.toSorted((a, b) => a - b);
        // So many are no higher, and with one less it would be too few.
        const place = sorted.findIndex((_, at) => 100 * (at + 1) >= percent * sorted.length);
        expect(numberAt(counts, percent / 100)).toBe(sorted[place]);
      }),
    );
  });

  it('tell none without bids', () => {
    expect(numberAt(new Uint32Array(10), 0.5)).toBeUndefined();
  });
});
