import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BID_NUMBERS, leastBid, numberAt } from './bid-numbers.ts';

const LARGEST = 2n ** 64n - 1n;

describe('numbers of bids', () => {
  it('each stand for the least bid of some digits, one behind the other', () => {
    for (let number = 0; number < 1_000; number += 1) expect(leastBid(number)).toBe(BigInt(number));
    let number = 999;
    for (let bid = leastBid(number); bid <= LARGEST; bid = leastBid(number)) {
      const text = String(bid);
      expect(text.slice(3)).toBe('0'.repeat(Math.max(0, text.length - 3)));
      number += 1;
      const next = leastBid(number);
      // The next one differs in its third digit by one, or is the next power of ten.
      expect(next - bid).toBe(10n ** BigInt(Math.max(0, text.length - 3)));
      expect(Number(next - bid) / Number(bid)).toBeLessThanOrEqual(0.01);
    }
    expect(number).toBeLessThan(BID_NUMBERS);
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
