import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../chain/address.ts';
import { BookSet, type Section } from './book-set.ts';
import type { MintRows } from './mint-rows.ts';

const MINTS = ['a', 'b', 'c', 'd', 'e'] as Address[];
const LIMITS = { maxBytes: 20_000, maxBooks: 4, maxSections: 2 };
/** Bytes that an answer is counted with beside its text. */
const OVERHEAD = 256;
const NO_ROWS = {} as MintRows;

type Step =
  | { readonly kind: 'keep'; readonly mint: Address; readonly key: string; readonly bytes: number }
  | { readonly kind: 'answer'; readonly mint: Address; readonly key: string; readonly bytes: number }
  | { readonly kind: 'grow'; readonly mint: Address }
  | { readonly kind: 'discard'; readonly mint: Address }
  | { readonly kind: 'find'; readonly mint: Address };

const mint = fc.constantFrom(...MINTS);
const key = fc.constantFrom('one', 'two', 'three');
const bytes = fc.integer({ min: 0, max: 9_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('keep', 'answer'), mint, key, bytes }),
  fc.record({ kind: fc.constantFrom('grow', 'discard', 'find'), mint }),
);

/** A section that takes a tenth more with every row. */
function section(size: number): Section {
  let held = size;
  return {
    get bytes() {
      return held;
    },
    apply() {
      held += Math.ceil(held / 10);
      return true;
    },
  };
}

describe('books in memory', () => {
  it('stay within their bounds and know what they hold, whatever is kept, answered, grown and forgotten', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const set = new BookSet(LIMITS);
        for (const each of steps) {
          take(set, each);
          const books = MINTS.map((name) => set.find(name)).filter((book) => book !== undefined);
          const held = books.map(({ sections, bodies }) =>
            [...sections.values()].reduce((sum, { bytes: size }) => sum + size, bodies.bytes),
          );
          expect(set.memory.bytes).toBe(held.reduce((sum, size) => sum + size, 0));
          expect(set.memory.books).toBe(books.length);
          expect(books.length).toBeLessThanOrEqual(LIMITS.maxBooks);
          if (each.kind !== 'grow') expect(set.memory.bytes).toBeLessThanOrEqual(LIMITS.maxBytes);
          set.shrink();
          expect(set.memory.bytes).toBeLessThanOrEqual(LIMITS.maxBytes);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('drop the one that nobody has asked for the longest, and count it', () => {
    const set = new BookSet(LIMITS);
    for (const name of MINTS.slice(0, 4)) set.keep(name, 'one', section(1_000));
    set.find(MINTS[0]!);
    set.keep(MINTS[4]!, 'one', section(1_000));
    expect(set.memory).toEqual({ books: 4, bytes: 4_000, maxBytes: 20_000, evicted: 1 });
    expect(MINTS.filter((name) => set.find(name) === undefined)).toEqual([MINTS[1]]);
  });

  it('weigh their answers too, and drop others to make room for one', () => {
    const set = new BookSet(LIMITS);
    set.keep(MINTS[0]!, 'one', section(8_000));
    set.keep(MINTS[1]!, 'one', section(8_000));
    set.find(MINTS[1]!)?.bodies.set({ name: 'answer', stamp: 0 }, Buffer.alloc(4_000), 0);
    expect(set.memory).toMatchObject({ books: 1, bytes: 8_000 + 4_000 + OVERHEAD, evicted: 1 });
  });
});

function take(set: BookSet, each: Step): void {
  if (each.kind === 'grow') set.grow(each.mint, NO_ROWS);
  else if (each.kind === 'discard') set.discard(each.mint);
  else if (each.kind === 'find') set.find(each.mint);
  else if (each.kind === 'keep') set.keep(each.mint, each.key, section(each.bytes));
  else {
    const bodies = set.find(each.mint)?.bodies;
    bodies?.set({ name: each.key, stamp: 0 }, Buffer.alloc(each.bytes), bodies.version);
  }
}
