import { getAddressDecoder, getBase58Codec } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedWire } from '../malformed-wire.ts';
import { decodeBase58, encodeAddress, encodeBase58, encodeSignature, parseAddress } from './base58.ts';

const kit = getBase58Codec();
const kitAddress = getAddressDecoder();

/** Runs of 0 and 255 are where carries and leading zeros go wrong. */
const bytesOf = (minLength: number, maxLength: number) =>
  fc.oneof(
    fc.uint8Array({ minLength, maxLength }),
    fc
      .tuple(fc.nat({ max: maxLength }), fc.nat({ max: maxLength }), fc.uint8Array({ minLength, maxLength }))
      .map(([zeros, ones, bytes]) => bytes.map((byte, i) => (i < zeros ? 0 : i < zeros + ones ? 255 : byte))),
  );

describe('base58', () => {
  it('says what kit says, both ways, for bytes of any length up to an address', () => {
    fc.assert(
      fc.property(bytesOf(0, 40), (bytes) => {
        const text = kit.decode(bytes);
        expect(encodeBase58(bytes)).toBe(text);
        expect(decodeBase58(text)).toEqual(bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  it('says what kit says for instruction data of up to 1,300 bytes', () => {
    fc.assert(
      fc.property(bytesOf(40, 1_300), (bytes) => {
        const text = kit.decode(bytes);
        expect(encodeBase58(bytes)).toBe(text);
        expect(decodeBase58(text)).toEqual(bytes);
      }),
      { numRuns: 60 },
    );
  });

  it('goes there and back for the largest data a call can carry, where pieces are put together', () => {
    fc.assert(
      fc.property(bytesOf(1_100, 10_240), (bytes) => {
        expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes);
      }),
      { numRuns: 60 },
    );
    const zeros = new Uint8Array(10_240);
    expect(decodeBase58(encodeBase58(zeros))).toEqual(zeros);
  });

  it('encodes addresses at an offset and signatures', () => {
    fc.assert(
      fc.property(bytesOf(64, 64), (bytes) => {
        expect(encodeAddress(bytes, 7)).toBe(kitAddress.decode(bytes.slice(7, 39)));
        expect(encodeSignature(bytes)).toBe(kit.decode(bytes));
      }),
    );
    expect(() => encodeAddress(new Uint8Array(40), 9)).toThrow(RangeError);
    expect(() => encodeSignature(new Uint8Array(63))).toThrow(RangeError);
  });

  it('takes as an address only what spells exactly 32 bytes', () => {
    fc.assert(
      fc.property(bytesOf(30, 34), (bytes) => {
        const text = kit.decode(bytes);
        expect(parseAddress(text)).toBe(bytes.length === 32 ? text : undefined);
      }),
    );
    const address = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
    expect(parseAddress(address)).toBe(address);
    for (const wrong of ['', ` ${address}`, `1${address}`, address.replace('6', '0'), 'é'.repeat(40), 'z'.repeat(44)]) {
      expect(parseAddress(wrong)).toBeUndefined();
    }
  });

  it('refuses characters that are no digits, and texts without bound', () => {
    for (const text of ['0', 'abcO', 'l', 'I', 'a b', 'ÿ', '1€', '\u0000']) {
      expect(() => decodeBase58(text)).toThrow(MalformedWire);
    }
    expect(() => decodeBase58('2'.repeat(14_001))).toThrow(MalformedWire);
    expect(() => encodeBase58(new Uint8Array(10_241))).toThrow(RangeError);
  });
});
