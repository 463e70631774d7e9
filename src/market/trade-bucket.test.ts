import { describe, expect, it } from 'vitest';
import { countsOf, type Sums, sumsOf } from './sums.ts';
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
  return cells.sort(([a], [b]) => a - b);
}

describe('a bucket of trades', () => {
  const expected = SUMS.map((sums, at): [number, number, Sums] => [at * 7, at % 3, sums]);

  it('holds the same packed, opened again, and packed from the beginning', () => {
    const bucket = new TradeBucket(60);
    for (const [series, venue, sums] of expected) bucket.add(series, venue, countsOf(sums), 1);
    bucket.pack();
    expect(cellsOf(bucket)).toEqual(expected);
    bucket.add(0, 0, countsOf(SUMS[0]!), 1);
    bucket.add(0, 0, countsOf(SUMS[0]!), -1);
    expect(cellsOf(bucket)).toEqual(expected);
    const packed = TradeBucket.packed(60, expected.length);
    for (const [at, [series, venue, sums]] of expected.entries()) {
      packed.setPacked(at, { series, venue, counts: countsOf(sums) });
    }
    expect(cellsOf(packed)).toEqual(expected);
  });

  it('is packed in pieces, anew behind a change', () => {
    const bucket = new TradeBucket(60);
    for (const [series, venue, sums] of expected) bucket.add(series, venue, countsOf(sums), 1);
    expect(bucket.pack(50)).toBe(false);
    bucket.add(900, 0, countsOf(SUMS[0]!), 1);
    expect(bucket.pack(50)).toBe(false);
    expect(cellsOf(bucket)).toHaveLength(expected.length + 1);
    expect(bucket.pack(50)).toBe(true);
    expect(cellsOf(bucket)).toEqual([...expected, [900, 0, SUMS[0]!]]);
    const seen: number[] = [];
    bucket.visit((series) => seen.push(series), 1, 3);
    expect(seen).toHaveLength(2);
  });

  it('forgets a cell only when nothing is left of it', () => {
    const bucket = new TradeBucket(60);
    expect(bucket.add(3, 1, countsOf({ buys: 2, sells: 0, volume: 9n }), 1)).toBe('made');
    expect(bucket.add(3, 1, countsOf({ buys: 1, sells: 0, volume: 4n }), -1)).toBe('kept');
    expect(bucket.add(3, 1, countsOf({ buys: 1, sells: 0, volume: 5n }), -1)).toBe('gone');
    expect(bucket.size).toBe(0);
  });
});
