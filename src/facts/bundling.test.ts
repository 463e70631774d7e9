import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someAddress } from '../../test/support/transaction-builder.ts';
import { markBundled } from './bundling.ts';
import type { DraftSwap } from './draft-swap.ts';

const mints = [someAddress(), someAddress(), someAddress()];

/** Only what bundling looks at. */
function leg(blockIndex: number, mint: number): DraftSwap {
  return { blockIndex, mint: mints[mint]!, bundled: undefined } as DraftSwap;
}

describe('bundled', () => {
  it('is true exactly for swaps with another transaction on the mint right beside them', () => {
    const legs = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 2 })), { maxLength: 30 });
    fc.assert(
      fc.property(legs, (places) => {
        const swaps = places
          .map(([blockIndex, mint]) => leg(blockIndex, mint))
          .sort((a, b) => a.blockIndex - b.blockIndex);
        markBundled(swaps);
        for (const swap of swaps) {
          const beside = swaps.some(
            (other) => other.mint === swap.mint && Math.abs(other.blockIndex - swap.blockIndex) === 1,
          );
          expect(swap.bundled).toBe(beside);
        }
      }),
    );
  });

  it('is not made by several legs of one transaction', () => {
    const swaps = [leg(4, 0), leg(4, 0)];
    markBundled(swaps);
    expect(swaps.map((swap) => swap.bundled)).toEqual([false, false]);
  });
});
