import { getAddressDecoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../address.ts';
import { LazyAccountKeys } from './account-keys.ts';
import { seekKey } from './sought-keys.ts';

const kit = getAddressDecoder();
/** Few that differ in few bytes, so that sought ones are there, twice, and nearly there, often. */
const key = fc.tuple(fc.nat(2), fc.nat(1), fc.nat(1)).map(([first, middle, last]) => {
  const bytes = new Uint8Array(32).fill(9);
  bytes[0] = first;
  bytes[15] = middle;
  bytes[31] = last;
  return bytes;
});
const addressOf = (bytes: Uint8Array) => kit.decode(bytes) as string as Address;

describe('find', () => {
  it('finds a sought key where a plain search finds it, among bytes and texts', () => {
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 8 }),
        fc.array(key, { maxLength: 4 }),
        fc.array(key, { minLength: 1, maxLength: 4 }),
        fc.nat(3),
        (binary, texts, wanted, lead) => {
          const bytes = Buffer.concat([Buffer.alloc(lead), ...binary]);
          const offsets = binary.map((_, i) => lead + i * 32);
          const early = wanted.map((one) => seekKey(addressOf(one)));
          const keys = LazyAccountKeys.fromBytes(bytes, offsets, texts.map(addressOf));
          const all = [...binary, ...texts].map(addressOf);
          for (const sought of early) expect(keys.find(sought)).toBe(all.indexOf(sought.address));
        },
      ),
    );
  });

  it('finds a key that is sought only after the walk', () => {
    const late = new Uint8Array(32).fill(77);
    const keys = LazyAccountKeys.fromBytes(late, [0]);
    expect(keys.find(seekKey(addressOf(new Uint8Array(32).fill(78))))).toBe(-1);
    expect(keys.find(seekKey(addressOf(late)))).toBe(0);
  });

  it('gives an address one place, however often it is sought', () => {
    const address = addressOf(new Uint8Array(32).fill(79));
    expect(seekKey(address)).toBe(seekKey(address));
  });
});
