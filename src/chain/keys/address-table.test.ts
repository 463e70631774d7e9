import { getBase58Decoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { randomBytes } from '../../../test/support/random.ts';
import type { Address } from '../address.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { addressBytes, internAddress, internAddressText } from './address-table.ts';
import { encodeAddress } from './base58.ts';
import { InternTable } from './intern-table.ts';

const kit = getBase58Decoder();

describe('internAddress', () => {
  it('gives the address of the bytes at an offset, and the same one again', () => {
    const bytes = new Uint8Array(randomBytes(100));
    for (const offset of [0, 1, 68]) {
      expect(internAddress(bytes, offset)).toBe(kit.decode(bytes.subarray(offset, offset + 32)));
      expect(internAddress(bytes, offset)).toBe(kit.decode(bytes.subarray(offset, offset + 32)));
    }
  });

  it('refuses an address that reaches past its bytes', () => {
    expect(() => internAddress(new Uint8Array(40), 9)).toThrow(MalformedWire);
    expect(() => internAddress(new Uint8Array(40), -1)).toThrow(MalformedWire);
  });
});

describe('internAddressText', () => {
  it('gives the address that the text spells', () => {
    for (const bytes of [randomBytes(32), Buffer.alloc(32), Buffer.concat([Buffer.alloc(5), randomBytes(27)])]) {
      const text = kit.decode(bytes);
      const message = Buffer.from(`..${text}..`);
      expect(internAddressText(message, 2, text.length)).toBe(text);
      expect(internAddressText(message, 2, text.length)).toBe(text);
    }
  });

  it('refuses zero bytes behind a text, whether it has been seen or not', () => {
    const text = 'So11111111111111111111111111111111111111112';
    const padded = Buffer.from(`${text}\0`);
    expect(() => internAddressText(padded, 0, 44)).toThrow(MalformedWire);
    expect(internAddressText(padded, 0, 43)).toBe(text);
    expect(() => internAddressText(padded, 0, 44)).toThrow(MalformedWire);
  });

  it('refuses what is no address', () => {
    for (const text of ['', 'abc', '0'.repeat(40), '1'.repeat(40), 'z'.repeat(44), '1'.repeat(50)]) {
      expect(() => internAddressText(Buffer.from(text), 0, text.length)).toThrow(MalformedWire);
    }
    expect(() => internAddressText(Buffer.from('1'.repeat(32)), 1, 32)).toThrow(MalformedWire);
  });
});

describe('InternTable', () => {
  it('stays right when keys collide and when there are many more of them than places', () => {
    let made = 0;
    const table = new InternTable(64, 32, (bytes, offset) => {
      made++;
      return encodeAddress(bytes, offset);
    });
    // All words that make up the hash are the same: every key has the same home.
    const keys = Array.from({ length: 100 }, (_, i) => new Uint8Array(32).fill(i, 8, 12));
    for (let round = 0; round < 2; round++) {
      for (const key of keys) expect(table.intern(key, 0, 32)).toBe(kit.decode(key));
    }
    expect(made).toBeGreaterThan(100);
    const others = Array.from({ length: 1_000 }, () => new Uint8Array(randomBytes(32)));
    for (const key of others) expect(table.intern(key, 0, 32)).toBe(kit.decode(key));
  });

  it('compares every byte of a key, and tells shorter keys from longer ones', () => {
    const table = new InternTable(8, 44, (bytes, offset, length) => {
      return Buffer.from(bytes).toString('hex', offset, offset + length) as Address;
    });
    const base = new Uint8Array(46).fill(7);
    const keys = [base, ...Array.from({ length: 44 }, (_, i) => base.with(i + 1, 9))];
    for (let round = 0; round < 2; round++) {
      for (const key of keys) {
        for (const length of [32, 33, 43, 44]) {
          expect(table.intern(key, 1, length)).toBe(Buffer.from(key.subarray(1, 1 + length)).toString('hex'));
        }
      }
    }
  });

  it('makes a string once while there is room', () => {
    let made = 0;
    const table = new InternTable(1_024, 32, (bytes, offset) => {
      made++;
      return encodeAddress(bytes, offset);
    });
    const keys = Array.from({ length: 100 }, () => new Uint8Array(randomBytes(32)));
    for (let round = 0; round < 3; round++) for (const key of keys) table.intern(key, 0, 32);
    expect(made).toBe(100);
  });

  it('makes a string once whatever stands behind it, and when nothing does', () => {
    let made = 0;
    const table = new InternTable(1_024, 44, (bytes, offset, length) => {
      made++;
      return Buffer.from(bytes).toString('hex', offset, offset + length) as Address;
    });
    for (let length = 32; length <= 44; length++) {
      const key = new Uint8Array(randomBytes(length));
      for (let behind = 0; behind < 14; behind++) {
        table.intern(new Uint8Array([...key, ...randomBytes(behind)]), 0, length);
      }
    }
    expect(made).toBe(13);
  });

  it('does not remember a key whose string could not be made', () => {
    const table = new InternTable(8, 32, () => {
      throw new MalformedWire('no');
    });
    for (let i = 0; i < 3; i++) expect(() => table.intern(new Uint8Array(32), 0, 32)).toThrow(MalformedWire);
  });
});

describe('addressBytes', () => {
  it('undoes internAddress, however many addresses come in between', () => {
    const first = new Uint8Array(randomBytes(32));
    const address = internAddress(first, 0);
    expect(addressBytes(address)).toEqual(first);
    const counter = new Uint8Array(32);
    const view = new DataView(counter.buffer);
    for (let i = 0; i < 140_000; i++) {
      view.setUint32(28, i);
      addressBytes(encodeAddress(counter));
    }
    expect(addressBytes(address)).toEqual(first);
  });

  it('refuses what is no address', () => {
    expect(() => addressBytes('abc' as Address)).toThrow(MalformedWire);
    expect(() => addressBytes('0'.repeat(43) as Address)).toThrow(MalformedWire);
  });
});
