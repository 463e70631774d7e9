import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packCells } from '../../test/support/pack-cells.ts';
import { visitCells } from './packed-cells.ts';
import { type Sums, sumsOf } from './sums.ts';

const U32 = { max: 2 ** 32 - 1 };
const sums: fc.Arbitrary<Sums> = fc.record({
  buys: fc.nat(U32),
  sells: fc.nat(U32),
  // More than a year of swaps of the largest amount that there is.
  volume: fc.bigInt({ min: 0n, max: 2n ** 84n }),
});

it('shows every bucket as it was packed, wherever its bytes lie', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(U32), sums)), fc.nat(7), (buckets, offset) => {
      const cells = new Map(buckets);
      const bytes = packCells(cells);
      const moved = new Uint8Array(bytes.length + offset).subarray(offset);
      moved.set(bytes);
      const shown = new Map<number, Sums>();
      visitCells(moved, (start, counts) => shown.set(start, sumsOf(counts)));
      expect(shown).toEqual(cells);
    }),
  );
});
