import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairCounts } from './pair-counts.ts';

/** What a growth may allocate and fill at once: some hundred kilobytes are a millisecond or two. */
const MOST_GROWN_BYTES = 400_000;

describe('numbers by pairs', () => {
  it('are what a map by name tells, whatever comes and goes', () => {
    const part = fc.oneof(fc.nat(12), fc.constantFrom(2 ** 21, 2 ** 21 + 1, 2 ** 31, 2 ** 32 - 2));
    fc.assert(
      fc.property(
        fc.array(fc.record({ first: part, second: part, isAdded: fc.boolean() }), { maxLength: 300 }),
        (steps) => {
          const pairs = new PairCounts();
          const plain = new Map<string, number>();
          for (const { first, second, isAdded } of steps) {
            const key = `${first} ${second}`;
            const known = plain.get(key) ?? 0;
            if (!isAdded && known === 0) continue;
            const left = known + (isAdded ? 1 : -1);
            if (left === 0) plain.delete(key);
            else plain.set(key, left);
            expect(isAdded ? pairs.increment(first, second) : pairs.decrement(first, second)).toBe(left);
          }
          expect(pairs.size).toBe(plain.size);
          for (const [key, number] of plain) {
            const [first, second] = key.split(' ').map(Number) as [number, number];
            expect([key, pairs.get(first, second)]).toEqual([key, number]);
          }
        },
      ),
    );
  });

  it('tell pairs of every number apart, also those beyond what a double holds exactly', () => {
    const pairs = new PairCounts();
    const firsts = [2 ** 21, 2 ** 21 + 1, 2 ** 25 + 3, 2 ** 32 - 1];
    const seconds = Array.from({ length: 40 }, (_, at) => at);
    for (const first of firsts) for (const second of seconds) expect(pairs.increment(first, second)).toBe(1);
    for (const first of firsts) for (const second of seconds) expect(pairs.decrement(first, second)).toBe(0);
    expect(pairs.size).toBe(0);
  });

  it('take one from nothing without a fault, and without counting below nothing', () => {
    const pairs = new PairCounts();
    expect(pairs.decrement(1, 2)).toBeUndefined();
    pairs.increment(1, 2);
    expect([pairs.get(1, 2), pairs.size]).toEqual([1, 1]);
  });

  it('find room for one more without moving many of the others', () => {
    const pairs = new PairCounts();
    let most = 0;
    for (let at = 0; at < 1_000_000; at += 1) {
      const before = pairs.bytes;
      pairs.increment(at % 20_000, (at * 7) % 400_009);
      most = Math.max(most, pairs.bytes - before);
    }
    expect(pairs.size).toBeGreaterThan(900_000);
    expect(most).toBeLessThan(MOST_GROWN_BYTES);
  });
});
