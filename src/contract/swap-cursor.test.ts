import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURSOR_SLOT_MODULO, decodeSwapCursor, encodeSwapCursor } from './swap-cursor.ts';

const place = fc.record({
  time: fc.integer({ min: 0, max: 253_402_300_799 }),
  slot: fc.integer({ min: 0, max: 2 ** 48 }),
  blockIndex: fc.integer({ min: 0, max: 9_999_999 }),
  ixIndex: fc.integer({ min: 0, max: 999_999 }),
});

describe('swap cursor', () => {
  it('gives every place back', () => {
    fc.assert(
      fc.property(place, (row) => {
        expect(decodeSwapCursor(encodeSwapCursor(row))).toEqual({
          kind: 'position',
          time: row.time,
          slotModulo: row.slot % CURSOR_SLOT_MODULO,
          blockIndex: row.blockIndex,
          ixIndex: row.ixIndex,
        });
      }),
    );
  });

  it('is an RFC 3339 time with an 18-digit fraction', () => {
    const cursor = encodeSwapCursor({ time: 1_785_578_400, slot: 351_265_123, blockIndex: 1234, ixIndex: 17 });
    expect(cursor).toBe('2026-08-01T10:00:00.651230001234000017Z');
    expect(Date.parse(cursor)).toBeGreaterThanOrEqual(1_785_578_400_000);
  });

  it('orders as text as positions do within a second', () => {
    const second = { time: 1_785_578_400, slot: 351_265_123 };
    const early = encodeSwapCursor({ ...second, blockIndex: 9, ixIndex: 100 });
    const late = encodeSwapCursor({ ...second, blockIndex: 10, ixIndex: 2 });
    expect(early < late).toBe(true);
  });

  it.each([
    ['2026-08-01T10:00:00Z', 1_785_578_400],
    ['2026-08-01T10:00:00.999Z', 1_785_578_400],
    ['2026-08-01T12:00:00+02:00', 1_785_578_400],
  ])('takes the bare time %s as a boundary', (text, time) => {
    expect(decodeSwapCursor(text)).toEqual({ kind: 'time', time });
  });

  it.each(['', 'yesterday', '2026-08-01', '2026-13-01T10:00:00Z', '2026-08-01T10:00:00', '1785578400'])(
    'refuses %j',
    (text) => {
      expect(decodeSwapCursor(text)).toBeUndefined();
    },
  );

  it('refuses a place that its digits cannot hold', () => {
    expect(() => encodeSwapCursor({ time: 0, slot: 1, blockIndex: 10_000_000, ixIndex: 0 })).toThrow(RangeError);
    expect(() => encodeSwapCursor({ time: 0, slot: 1, blockIndex: 0, ixIndex: 1_000_000 })).toThrow(RangeError);
  });
});
