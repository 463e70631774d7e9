import { BorshAccountsCoder } from '@coral-xyz/anchor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anchorAccountsIdl, fromAnchor } from '../../test/support/anchor-idl.ts';
import { layoutValue } from '../../test/support/layout-values.ts';
import type { Address } from '../chain/address.ts';
import { ZERO_ADDRESS } from '../chain/address.ts';
import { compileAccountReader } from './account-reader.ts';
import type { DataOf, Layout } from './layout.ts';
import { fixedSize, layoutFields } from './layout.ts';
import { encodeLayout } from './layout-writer.ts';
import { PUMP_ACCOUNTS, readBondingCurve } from './pump/accounts.ts';
import { PUMP_AMM_ACCOUNTS, readPool } from './pump-amm/accounts.ts';

const ACCOUNTS = Object.entries({ ...PUMP_ACCOUNTS, ...PUMP_AMM_ACCOUNTS }).map(([name, layout]) => ({
  name,
  layout: layout as Layout,
}));
const RUNS = { numRuns: 50 };

describe.each(ACCOUNTS)('account $name', ({ name, layout }) => {
  const read = compileAccountReader(layout);
  const fields = layoutFields(layout);

  test('is read as Anchor reads it, at every generation and whatever it is allocated', () => {
    const coders = new Map<number, BorshAccountsCoder>();
    fc.assert(
      fc.property(layoutValue(layout), fc.nat({ max: 40 }), ({ present, data }, spare) => {
        const coder = coders.get(present) ?? new BorshAccountsCoder(anchorAccountsIdl({ [name]: layout }, present));
        coders.set(present, coder);
        const bytes = encodeLayout(layout, data as DataOf<Layout>);
        const theirs = coder.decode<Record<string, unknown>>(name, Buffer.from(bytes));
        const ours = read(bytes) as Readonly<Record<string, unknown>>;
        for (const [index, field] of fields.entries()) {
          const expected = index < present ? fromAnchor(theirs[field.name], field.type) : undefined;
          expect(ours[field.name]).toEqual(expected);
        }
        if (present === fields.length) expect(read(Buffer.concat([bytes, Buffer.alloc(spare, 3)]))).toEqual(ours);
      }),
      RUNS,
    );
  });

  test('is nothing else: no other discriminator and no cut-off data', () => {
    fc.assert(
      fc.property(layoutValue(layout), fc.nat(), ({ data }, at) => {
        const bytes = encodeLayout(layout, data as DataOf<Layout>);
        const first = fields.filter((field) => field.required).reduce((sum, { type }) => sum + fixedSize(type)!, 8);
        expect(read(bytes.subarray(0, at % first))).toBeUndefined();
        bytes[at % 8]! ^= 1;
        expect(read(bytes)).toBeUndefined();
      }),
      RUNS,
    );
  });
});

/** Ends of the fields of every generation, discriminator included. */
function lengths(layout: Layout): number[] {
  const size = (fields: Layout['fields']) => Object.values(fields).reduce((sum, type) => sum + fixedSize(type)!, 0);
  const ends = [8 + size(layout.fields)];
  for (const { fields } of layout.appended ?? []) ends.push(ends.at(-1)! + size(fields));
  return ends;
}

test('every generation has its documented length', () => {
  expect(lengths(PUMP_ACCOUNTS.BondingCurve)).toEqual([49, 81, 82, 83, 115, 124, 125, 166]);
  expect(lengths(PUMP_AMM_ACCOUNTS.Pool)).toEqual([211, 243, 244, 245, 261, 270, 271, 287]);
});

test('fields lie at their documented offsets', () => {
  const curve = Buffer.alloc(166);
  curve.write('17b7f83760d8ac60', 'hex');
  curve.writeBigUInt64LE(7n, 40);
  curve[48] = 1;
  curve[81] = 1;
  curve[124] = 1;
  curve[141] = 2;
  const read = readBondingCurve(curve);
  expect(read).toMatchObject({ tokenTotalSupply: 7n, complete: true, isMayhemMode: true, isHolderReward: true });
  expect(read).toMatchObject({ depth: 2, quoteMint: ZERO_ADDRESS, isCashbackCoin: false });

  const pool = Buffer.alloc(300);
  pool.write('f19a6d0411b16dbc', 'hex');
  pool.writeUInt16LE(5, 9);
  pool.fill(1, 43, 75);
  pool.fill(2, 75, 107);
  pool.fill(0xff, 245, 261);
  pool.writeBigUInt64LE(9n, 279);
  expect(readPool(pool)).toMatchObject({
    index: 5,
    baseMint: '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi' as Address,
    quoteMint: '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR' as Address,
    virtualQuoteReserves: -1n,
    creatorFees: 9n,
  });
});
