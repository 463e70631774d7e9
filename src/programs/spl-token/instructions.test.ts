import { getU64Encoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakeTransaction } from '../../../test/support/fake-transaction.ts';
import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chain/well-known.ts';
import type { TokenInstruction } from './instructions.ts';
import { mayChangeSupply, readTokenInstructions } from './instructions.ts';

const accounts = (count: number): Address[] =>
  Array.from({ length: count }, (_, i) => encodeAddress(new Uint8Array(32).fill(i + 1)));

/** Key 0 of the double is the program, so that account n of the call is key n + 1. */
function read(data: Uint8Array, count = 4, program: Address = TOKEN_PROGRAM): readonly TokenInstruction[] {
  const tx = fakeTransaction({ calls: [{ program, accounts: accounts(count), data, depth: 1 }] });
  return readTokenInstructions(tx, tx.instructions[0]!);
}

const u64 = (n: bigint): number[] => [...getU64Encoder().encode(n)];
const of = (...parts: readonly number[]): Uint8Array => Uint8Array.from(parts);

const TRANSFER = of(3, ...u64(500n));
const TRANSFER_CHECKED = of(12, ...u64(500n), 6);
const transfer = { kind: 'transfer', source: 1, destination: 2, authority: 3, mint: undefined, fee: undefined };
const checked = { kind: 'transfer', source: 1, mint: 2, destination: 3, authority: 4, fee: undefined };

describe('readTokenInstructions', () => {
  test('reads any amount exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amount) => {
        expect(read(of(3, ...u64(amount)))).toEqual([{ ...transfer, amount }]);
      }),
    );
  });

  test.each<[string, Uint8Array, object]>([
    ['a checked transfer', TRANSFER_CHECKED, { ...checked, amount: 500n }],
    ['a transfer with a fee', of(26, 1, ...u64(500n), 6, ...u64(5n)), { ...checked, amount: 500n, fee: 5n }],
    ['a mint', of(7, ...u64(9n)), { kind: 'mint', mint: 1, account: 2, authority: 3, amount: 9n }],
    ['a checked mint', of(14, ...u64(9n), 6), { kind: 'mint', mint: 1, account: 2, authority: 3, amount: 9n }],
    ['a burn', of(8, ...u64(9n)), { kind: 'burn', account: 1, mint: 2, authority: 3, amount: 9n }],
    ['a checked burn', of(15, ...u64(9n), 6), { kind: 'burn', account: 1, mint: 2, authority: 3, amount: 9n }],
    ['a closing', of(9), { kind: 'close', account: 1, destination: 2, authority: 3 }],
    [
      'a partial unwrap',
      of(45, 1, ...u64(9n)),
      { kind: 'unwrap', account: 1, destination: 2, authority: 3, amount: 9n },
    ],
    ['a whole unwrap', of(45, 0), { kind: 'unwrap', account: 1, destination: 2, authority: 3, amount: undefined }],
    [
      'a change of owner',
      of(6, 2, 1, ...addressBytes(SYSTEM_PROGRAM)),
      { kind: 'owner_change', account: 1, authority: 2, owner: SYSTEM_PROGRAM },
    ],
  ])('reads %s, in both token programs', (_, data, expected) => {
    expect(read(data)).toEqual([expected]);
    expect(read(data, 4, TOKEN_2022_PROGRAM)).toEqual([expected]);
  });

  test('a batch is what it carries, each with its own accounts', () => {
    const batch = of(255, 3, 9, ...TRANSFER, 1, 1, 17, 4, 10, ...TRANSFER_CHECKED);
    expect(read(batch, 8)).toEqual([
      { ...transfer, amount: 500n },
      { kind: 'transfer', source: 5, mint: 6, destination: 7, authority: 8, amount: 500n, fee: undefined },
    ]);
  });

  test('a batch that promises more than it has ends where it breaks', () => {
    expect(read(of(255, 3, 9, ...TRANSFER, 3, 200, 3), 8)).toHaveLength(1);
    expect(read(of(255, 3, 9, ...TRANSFER, 9, 9, ...TRANSFER), 8)).toHaveLength(1);
    expect(read(of(255, 3, 9, ...TRANSFER, 3), 8)).toHaveLength(1);
  });

  test('what moves nothing, is cut off or belongs to others gives nothing', () => {
    expect(read(of(17))).toEqual([]);
    expect(read(of())).toEqual([]);
    expect(read(of(3, 1, 2, 3))).toEqual([]);
    expect(read(TRANSFER, 2)).toEqual([]);
    expect(read(TRANSFER_CHECKED, 3)).toEqual([]);
    expect(read(of(6, 0, 1, ...addressBytes(SYSTEM_PROGRAM)))).toEqual([]);
    expect(read(TRANSFER, 4, SYSTEM_PROGRAM)).toEqual([]);
  });

  test('no data makes it throw', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(5), (data, count) => void read(data, count)));
  });
});

describe('mayChangeSupply', () => {
  const isSupply = ({ kind }: TokenInstruction) => kind === 'mint' || kind === 'burn';
  const call = (data: Uint8Array) => fakeTransaction({ calls: [{ program: TOKEN_PROGRAM, data, depth: 1 }] });

  test('passes over no call that mints or burns, whatever its data', () => {
    const body = fc.uint8Array({ minLength: 18, maxLength: 18 });
    // Batches are in it with a mint, a burn, or something else inside.
    const batched = fc.tuple(fc.nat(20), body).map(([tag, rest]) => of(255, 4, 19, tag, ...rest));
    const plain = fc.tuple(fc.nat(255), body).map(([tag, rest]) => of(tag, ...rest));
    fc.assert(
      fc.property(fc.oneof(plain, batched), (data) => {
        if (read(data).some(isSupply)) expect(mayChangeSupply(call(data).instructions[0]!)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('passes over transfers, closings and calls without data', () => {
    for (const data of [TRANSFER, TRANSFER_CHECKED, of(9), of()]) {
      expect(mayChangeSupply(call(data).instructions[0]!)).toBe(false);
    }
  });
});
