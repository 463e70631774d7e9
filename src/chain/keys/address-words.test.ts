import { getAddressDecoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../address.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { internAddressText } from './address-table.ts';
import { findAddress, writeAddress } from './address-words.ts';

const kit = getAddressDecoder();
const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const addressOf = (bytes: Uint8Array) => kit.decode(bytes) as string as Address;

describe('writeAddress', () => {
  it('writes the bytes whose text it is given, and no others', () => {
    fc.assert(
      fc.property(key, fc.nat(9), (bytes, offset) => {
        const target = new Uint8Array(offset + 40).fill(7);
        writeAddress(addressOf(bytes), new DataView(target.buffer), offset);
        expect(target.subarray(offset, offset + 32)).toEqual(bytes);
        expect([...target.subarray(0, offset), ...target.subarray(offset + 32)]).toEqual(Array(offset + 8).fill(7));
      }),
    );
  });

  it('refuses what is no address', () => {
    const view = new DataView(new ArrayBuffer(32));
    for (const text of ['', 'abc', '0'.repeat(40), 'z'.repeat(44)]) {
      expect(() => writeAddress(text as Address, view, 0)).toThrow(MalformedWire);
    }
  });
});

describe('findAddress', () => {
  it('finds the first of the keys that is the address, as a plain search does', () => {
    // Few different bytes, so that keys are the same, and nearly the same, often.
    const alike = fc.uint8Array({ minLength: 32, maxLength: 32, max: 1 }).map((bytes) => bytes.fill(0, 2, 30));
    fc.assert(
      fc.property(fc.array(alike, { maxLength: 12 }), alike, fc.nat(5), (keys, wanted, lead) => {
        const bytes = Buffer.concat([Buffer.alloc(lead, 1), ...keys]);
        const offsets = keys.map((_, i) => lead + i * 32);
        const plain = keys.findIndex((one) => Buffer.compare(one, wanted) === 0);
        expect(findAddress(bytes, offsets, addressOf(wanted))).toBe(plain);
      }),
    );
  });
});

describe('internAddressText', () => {
  it('reads a text wherever it lies in its buffer, whatever stands behind it', () => {
    fc.assert(
      fc.property(key, fc.nat(9), fc.uint8Array({ maxLength: 14 }), (bytes, lead, behind) => {
        const text = addressOf(bytes);
        const buffer = new Uint8Array([...Buffer.alloc(lead, 65), ...Buffer.from(text), ...behind]);
        // Twice: once made, once found.
        expect(internAddressText(buffer, lead, text.length)).toBe(text);
        expect(internAddressText(buffer, lead, text.length)).toBe(text);
      }),
    );
  });
});
