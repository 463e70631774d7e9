import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, ZERO_ADDRESS } from '../../../chain/address.ts';
import { encodeAddress } from '../../../chain/keys/base58.ts';
import { decodeRows, encodeRows, RowBytesError, RowRangeError } from './row-codec.ts';
import type { ColumnType, RowOf, TableLayout } from './table-layout.ts';
import { FACT_TABLES } from './tables.ts';

const EVERY_TYPE = {
  name: 'every_type',
  columns: {
    owner: 'account',
    quote: 'address',
    signature: 'signature',
    small: 'u8',
    middle: 'u16',
    large: 'u32',
    amount: 'u64',
    delta: 'i64',
    wide: 'i128',
    price: 'f64',
    yes: 'bool',
    text: 'string',
    list: 'bytes',
    at: 'time',
  },
} as const satisfies TableLayout;

const U32 = 2 ** 32 - 1;
const KEYS = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeAddress(bytes));
const VALUES: Record<ColumnType, fc.Arbitrary<unknown>> = {
  account: fc.oneof(fc.constant(ZERO_ADDRESS), KEYS),
  address: fc.oneof(
    fc.constant(''),
    KEYS.filter((key) => key !== ZERO_ADDRESS),
  ),
  signature: fc.uint8Array({ minLength: 64, maxLength: 64 }),
  u8: fc.integer({ min: 0, max: 255 }),
  u16: fc.integer({ min: 0, max: 65_535 }),
  u32: fc.integer({ min: 0, max: U32 }),
  u64: fc.bigInt(0n, 2n ** 64n - 1n),
  i64: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  i128: fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n),
  f64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bool: fc.boolean(),
  string: fc.string({ unit: 'grapheme', maxLength: 400 }),
  bytes: fc.uint8Array({ maxLength: 400 }),
  time: fc.integer({ min: 0, max: U32 }),
};

function rowsOf<T extends TableLayout>(layout: T): fc.Arbitrary<RowOf<T>[]> {
  const fields = Object.entries(layout.columns).map(([name, type]) => [name, VALUES[type]] as const);
  return fc.array(fc.record(Object.fromEntries(fields)) as fc.Arbitrary<RowOf<T>>, { maxLength: 12 });
}

const row: RowOf<typeof EVERY_TYPE> = {
  owner: ZERO_ADDRESS,
  quote: '',
  signature: new Uint8Array(64),
  small: 0,
  middle: 0,
  large: 0,
  amount: 0n,
  delta: 0n,
  wide: 0n,
  price: 0,
  yes: false,
  text: '',
  list: new Uint8Array(0),
  at: 0,
};

describe('the row codec', () => {
  it('reads back exactly what it wrote, for every type and every fact table', () => {
    for (const layout of [EVERY_TYPE, ...FACT_TABLES]) {
      fc.assert(
        fc.property(rowsOf(layout as TableLayout), (rows) => {
          const { rows: count, bytes } = encodeRows(layout as TableLayout, rows);
          expect(count).toBe(rows.length);
          expect(decodeRows(layout as TableLayout, bytes)).toEqual(rows);
        }),
        { numRuns: 40 },
      );
    }
  });

  it('tells the System program, whose address is zeros, from an address that is missing', () => {
    const read = decodeRows(EVERY_TYPE, encodeRows(EVERY_TYPE, [row]).bytes)[0];
    expect(read).toMatchObject({ owner: ZERO_ADDRESS, quote: '' });
  });

  it('writes little-endian values one after the other, text behind its length', () => {
    const layout = { name: 't', columns: { a: 'u16', b: 'string', c: 'i64', d: 'bool' } } as const;
    const { bytes } = encodeRows(layout, [{ a: 258, b: 'é', c: -2n, d: true }]);
    expect([...bytes]).toEqual([2, 1, 2, 0xc3, 0xa9, 0xfe, 255, 255, 255, 255, 255, 255, 255, 1]);
  });

  it('writes text of any length, past the buffer it started with', () => {
    const layout = { name: 't', columns: { a: 'string' } } as const;
    const rows = [127, 128, 16_383, 16_384, 3_000_000].map((length) => ({ a: 'x'.repeat(length) }));
    expect(decodeRows(layout, encodeRows(layout, rows).bytes)).toEqual(rows);
  });

  it('gives bytes of its own, which the next call leaves alone', () => {
    const first = encodeRows(EVERY_TYPE, [{ ...row, small: 7 }]);
    encodeRows(EVERY_TYPE, [{ ...row, small: 8 }]);
    expect(decodeRows(EVERY_TYPE, first.bytes)[0]?.small).toBe(7);
  });

  it.each([
    ['owner', ''],
    ['owner', undefined],
    ['small', 256],
    ['small', -1],
    ['middle', 65_536],
    ['large', 2 ** 32],
    ['large', 1.5],
    ['amount', 2n ** 64n],
    ['amount', -1n],
    ['amount', 1],
    ['delta', 2n ** 63n],
    ['wide', 2n ** 127n],
    ['price', Number.NaN],
    ['yes', 1],
    ['text', undefined],
    ['at', -5],
    ['signature', new Uint8Array(63)],
  ])('refuses %s = %s by a typed error', (column, value) => {
    const write = () => encodeRows(EVERY_TYPE, [row, { ...row, [column]: value }]);
    expect(write).toThrow(RowRangeError);
    expect(write).toThrow(`every_type.${column}`);
  });

  it('refuses what is no address', () => {
    expect(() => encodeRows(EVERY_TYPE, [{ ...row, owner: 'not base58!' as Address }])).toThrow();
  });

  it('refuses bytes that end inside a row, wherever they are cut', () => {
    const { bytes } = encodeRows(EVERY_TYPE, [{ ...row, text: 'some text' }]);
    for (let length = 1; length < bytes.length; length++) {
      expect(() => decodeRows(EVERY_TYPE, bytes.subarray(0, length))).toThrow(RowBytesError);
    }
  });
});
