import { getStructEncoder, getU32Encoder, getU64Encoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakeTransaction } from '../../../test/support/fake-transaction.ts';
import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../chain/well-known.ts';
import type { SystemInstruction } from './instructions.ts';
import { readSystemInstruction } from './instructions.ts';

const [FIRST, SECOND, THIRD] = [1, 2, 3].map((n) => encodeAddress(new Uint8Array(32).fill(n))) as [
  Address,
  Address,
  Address,
];

function read(data: Uint8Array, program = SYSTEM_PROGRAM): SystemInstruction | undefined {
  const tx = fakeTransaction({ calls: [{ program, accounts: [FIRST, SECOND, THIRD], data, depth: 1 }] });
  return readSystemInstruction(tx, tx.instructions[0]!);
}

const u32 = (n: number) => Uint8Array.from(getU32Encoder().encode(n));
const u64 = (n: bigint) => Uint8Array.from(getU64Encoder().encode(n));
const bytes = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const SEED = bytes(u64(3n), new TextEncoder().encode('abc'));
const OWNER = addressBytes(TOKEN_PROGRAM);

describe('readSystemInstruction', () => {
  test('reads any amount of lamports exactly', () => {
    const encoder = getStructEncoder([
      ['tag', getU32Encoder()],
      ['lamports', getU64Encoder()],
    ]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (lamports) => {
        const data = Uint8Array.from(encoder.encode({ tag: 2, lamports }));
        // Key 0 of the double is the program itself.
        expect(read(data)).toEqual({ kind: 'transfer', from: 1, to: 2, lamports });
      }),
    );
  });

  test('knows every way in which lamports move', () => {
    const create = { kind: 'create_account', from: 1, to: 2, lamports: 9n, owner: TOKEN_PROGRAM };
    expect(read(bytes(u32(0), u64(9n), u64(165n), OWNER))).toEqual(create);
    expect(read(bytes(u32(3), addressBytes(FIRST), SEED, u64(9n), u64(165n), OWNER))).toEqual(create);
    expect(read(bytes(u32(13), u64(9n), u64(165n), OWNER))).toEqual({ ...create, from: 2, to: 1 });
    expect(read(bytes(u32(11), u64(9n), SEED, OWNER))).toEqual({ kind: 'transfer', from: 1, to: 3, lamports: 9n });
    expect(read(bytes(u32(5), u64(9n)))).toEqual({ kind: 'transfer', from: 1, to: 2, lamports: 9n });
  });

  test('other instructions, programs and cut-off data move nothing', () => {
    expect(read(bytes(u32(8), u64(165n)))).toBeUndefined();
    expect(read(bytes(u32(2), u64(9n)), TOKEN_PROGRAM)).toBeUndefined();
    expect(read(bytes(u32(2), u32(9)))).toBeUndefined();
    expect(read(bytes(u32(0), u64(9n), u64(165n)))).toBeUndefined();
    expect(read(bytes(u32(3), addressBytes(FIRST), u64(2n ** 40n)))).toBeUndefined();
  });
});
