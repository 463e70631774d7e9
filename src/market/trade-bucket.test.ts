import { describe, expect, it } from 'vitest';
import { addCounts, countsOf, type Sums, sumsOf } from './sums.ts';
import { TradeBucket } from './trade-bucket.ts';

/** Around what a column holds. */
const SUMS: readonly Sums[] = [
  { buys: 1, sells: 0, volume: 0n },
  { buys: 255, sells: 255, volume: 2n ** 64n - 1n },
  { buys: 256, sells: 0, volume: 5n },
  { buys: 0, sells: 256, volume: 6n },
  { buys: 1, sells: 1, volume: 2n ** 64n },
  { buys: 2 ** 31, sells: 2 ** 31, volume: 2n ** 90n },
];

function cellsOf(bucket: TradeBucket): [number, number, Sums][] {
  const cells: [number, number, Sums][] = [];
  bucket.visit((series, venue, counts) => cells.push([series, venue, sumsOf(counts)]));
  return cells;
}

describe('a bucket of trades', () => {
  const expected = SUMS.map((sums, at): [number, number, Sums] => [at * 7, at % 3, sums]);

  it('holds the same packed, opened again, and packed from the beginning', () => {
    const bucket = new TradeBucket(60);
    for (const [series, venue, sums] of expected) addCounts(bucket.cell(series, venue), countsOf(sums), 1);
    bucket.pack();
    expect(cellsOf(bucket)).toEqual(expected);
    expect(sumsOf(bucket.cell(0, 0))).toEqual(SUMS[0]);
    expect(cellsOf(bucket)).toEqual(expected);
    const packed = TradeBucket.packed(60, expected.length);
    for (const [at, [series, venue, sums]] of expected.entries()) {
      packed.setPacked(at, { series, venue, counts: countsOf(sums) });
    }
    expect(cellsOf(packed)).toEqual(expected);
  });

  it('forgets a cell only when nothing is left of it', () => {
    const bucket = new TradeBucket(60);
    addCounts(bucket.cell(3, 1), countsOf({ buys: 2, sells: 0, volume: 9n }), 1);
    expect(bucket.forgetEmpty(3, 1)).toBe(false);
    addCounts(bucket.cell(3, 1), countsOf({ buys: 2, sells: 0, volume: 9n }), -1);
    expect(bucket.forgetEmpty(3, 1)).toBe(true);
    expect([bucket.size, bucket.forgetEmpty(3, 1)]).toEqual([0, false]);
  });
});
