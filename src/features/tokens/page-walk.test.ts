import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import type { ListPlace } from './mint-reads.ts';
import { walkPage } from './page-walk.ts';

const placeOf = (slot: number): ListPlace => ({ mint: 'mint' as Address, slot, block_index: 0, ix_index: 0 });

describe('pages of a filtered list', () => {
  it('hold every token that passes once, in order, and none looks at more than it may', async () => {
    const bound = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 40 }),
        bound,
        bound,
        bound,
        async (passing, limit, most, size) => {
          const all = passing.map((_passes, at) => placeOf(at));
          const found: number[] = [];
          let behind: ListPlace | undefined;
          for (let pages = 0; ; pages += 1) {
            expect(pages).toBeLessThanOrEqual(all.length);
            const from: ListPlace | undefined = behind;
            let looked = 0;
            const page = await walkPage(
              { limit, most },
              async (last = from, left) => {
                const at = last === undefined ? 0 : last.slot + 1;
                const places = all.slice(at, at + Math.min(size, left));
                return { places, ends: at + places.length >= all.length };
              },
              async (places) => {
                looked += places.length;
                return places.map(({ slot }) => passing[slot]!);
              },
            );
            expect(looked).toBeLessThanOrEqual(most);
            found.push(...page!.shown.map(({ slot }) => slot));
            expect(page!.shown.length).toBeLessThanOrEqual(limit);
            behind = page!.next;
            // Without a next page everything was looked at, and with one there is something left.
            if (behind === undefined) break;
            expect(behind.slot).toBeLessThan(all.length - 1);
          }
          expect(found).toEqual(passing.flatMap((passes, at) => (passes ? [at] : [])));
        },
      ),
      { numRuns: 150 },
    );
  });
});
