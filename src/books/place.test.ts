import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURSOR_SLOT_MODULO } from '../contract/swap-cursor.ts';
import { comparePlaces, compareToCursor } from './place.ts';

const place = fc.record({
  slot: fc.integer({ min: 399_999_990, max: 400_000_010 }),
  block_index: fc.nat(2),
  ix_index: fc.nat(2),
  time: fc.constant(1_790_000_000),
});

describe('compareToCursor', () => {
  it('orders rows of one second as their positions do, across the turn of the digits a cursor keeps', () => {
    fc.assert(
      fc.property(place, place, (row, last) => {
        const cursor = {
          kind: 'position',
          time: last.time,
          slotModulo: last.slot % CURSOR_SLOT_MODULO,
          blockIndex: last.block_index,
          ixIndex: last.ix_index,
        } as const;
        expect(Math.sign(compareToCursor(row, cursor))).toBe(Math.sign(comparePlaces(row, last)));
      }),
      { numRuns: 500 },
    );
  });

  it('puts a bare time before everything in its second', () => {
    const row = { slot: 1, block_index: 0, ix_index: 0, time: 10 };
    expect(compareToCursor(row, { kind: 'time', time: 10 })).toBeGreaterThan(0);
    expect(compareToCursor(row, { kind: 'time', time: 11 })).toBeLessThan(0);
  });
});
