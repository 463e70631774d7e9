import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTickCursor, encodeTickCursor } from './tick-cursor.ts';
import { decodeTokenCursor, encodeTokenCursor } from './token-cursor.ts';
import {
  decodeTransferCursor,
  decodeWalletTransferCursor,
  encodeTransferCursor,
  encodeWalletTransferCursor,
  NEWEST_PLACE,
} from './transfer-cursor.ts';

const position = {
  slot: fc.integer({ min: 0, max: 2 ** 48 }),
  blockIndex: fc.integer({ min: 0, max: 9_999_999 }),
  ixIndex: fc.integer({ min: 0, max: 999_999 }),
};
const WSOL = 'So11111111111111111111111111111111111111112';

describe('tick cursor', () => {
  it('gives every position back', () => {
    fc.assert(
      fc.property(fc.record(position), (cursor) => {
        expect(decodeTickCursor(encodeTickCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  it.each(['', 'p1-', 'p2-1-2-3', 'p1-1-2', '2026-08-01T10:00:00Z', 'p1-1-2-3-4'])('refuses %j', (text) => {
    expect(decodeTickCursor(text)).toBeUndefined();
  });
});

describe('token cursor', () => {
  it('gives every place in either order back', () => {
    const cursors = fc.record({
      ...position,
      sort: fc.constantFrom('newest' as const, 'last_trade' as const),
      mint: fc.constant(WSOL),
    });
    fc.assert(
      fc.property(cursors, (cursor) => {
        expect(decodeTokenCursor(encodeTokenCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  it.each(['', 'x1-1-1-1-So11111111111111111111111111111111111111112', 'n1-1-1-1-short', 'n1-1-1-1'])(
    'refuses %j',
    (text) => {
      expect(decodeTokenCursor(text)).toBeUndefined();
    },
  );
});

describe('transfer cursors', () => {
  const place = {
    slot: fc.integer({ min: 0, max: NEWEST_PLACE.slot }),
    blockIndex: fc.integer({ min: 0, max: NEWEST_PLACE.blockIndex }),
    ixIndex: fc.integer({ min: 0, max: NEWEST_PLACE.ixIndex }),
    from: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  };

  it('give every place back, and are of one list only', () => {
    fc.assert(
      fc.property(fc.record({ ...place, mint: fc.constantFrom('', WSOL) }), ({ mint, ...cursor }) => {
        expect(decodeTransferCursor(encodeTransferCursor(cursor))).toEqual(cursor);
        expect(decodeWalletTransferCursor(encodeWalletTransferCursor({ ...cursor, mint }))).toEqual({
          ...cursor,
          mint,
        });
        expect(decodeWalletTransferCursor(encodeTransferCursor(cursor))).toBeUndefined();
        expect(decodeTransferCursor(encodeWalletTransferCursor({ ...cursor, mint }))).toBeUndefined();
      }),
    );
  });

  it.each(['', 'x1-1-1-1', 'x1-1z141z4-1-1-1', 'x1-1-1-1ekg-1', 'x2-1-1-1-1', 'p1-1-1-1'])('refuse %j', (text) => {
    expect(decodeTransferCursor(text)).toBeUndefined();
  });
});
