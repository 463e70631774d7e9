import {
  addCodecSizePrefix,
  getAddressCodec,
  getAddressEncoder,
  getArrayCodec,
  getF64Codec,
  getI64Codec,
  getProgramDerivedAddress,
  getStructCodec,
  getTupleCodec,
  getU32Codec,
  getUtf8Codec,
} from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METADATA_PROGRAM, TOKEN_2022_PROGRAM } from '../../chain/well-known.ts';
import { metadataAddress, readMetadata } from '../metaplex/accounts.ts';
import { multiplierAt, readMint } from './mint-account.ts';

const text = () => addCodecSizePrefix(getUtf8Codec(), getU32Codec());
/** The value of the extension, written by the codecs of @solana/kit. */
const extension = getStructCodec([
  ['updateAuthority', getAddressCodec()],
  ['mint', getAddressCodec()],
  ['name', text()],
  ['symbol', text()],
  ['uri', text()],
  ['more', getArrayCodec(getTupleCodec([text(), text()]))],
]);

const MINT = 'pumpCmXqMfrsAkQ5r49WcJnRayYRqmXz6ae8H7H9Dfn';
const names = fc.record({
  name: fc.string({ unit: 'grapheme', maxLength: 40 }),
  symbol: fc.string({ unit: 'grapheme', maxLength: 12 }),
  uri: fc.webUrl(),
});

function base(supply: bigint, decimals: number, length: number): Buffer {
  const data = Buffer.alloc(length);
  data.writeBigUInt64LE(supply, 36);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

function entry(type: number, value: Uint8Array): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(type, 0);
  header.writeUInt16LE(value.length, 2);
  return Buffer.concat([header, value]);
}

/** A Token-2022 mint with extensions. */
function extended(supply: bigint, decimals: number, entries: readonly Buffer[], spare = 0): Buffer {
  const start = base(supply, decimals, 166);
  start[165] = 1;
  return Buffer.concat([start, ...entries, Buffer.alloc(spare)]);
}

describe('a mint account', () => {
  test('tells supply and decimals', () => {
    const value = [fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 0, max: 255 })] as const;
    fc.assert(
      fc.property(...value, (supply, decimals) => {
        expect(readMint(base(supply, decimals, 82))).toEqual({
          supply,
          decimals,
          names: undefined,
          scaling: undefined,
        });
      }),
    );
  });

  test('tells its own names behind whatever other extensions it has', () => {
    const others = fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 60 }).filter((type) => type !== 19),
        fc.uint8Array({ maxLength: 130 }),
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(names, others, fc.nat({ max: 50 }), (named, before, spare) => {
        const value = extension.encode({
          updateAuthority: METADATA_PROGRAM as never,
          mint: MINT as never,
          more: [['some', 'thing']],
          ...named,
        });
        const entries = [...before.map(([type, bytes]) => entry(type, bytes)), entry(19, new Uint8Array(value))];
        const read = readMint(extended(5n, 6, entries, spare));
        expect(read).toMatchObject({ supply: 5n, decimals: 6, names: { mint: MINT, ...named } });
      }),
    );
  });

  test('without that extension has no names', () => {
    expect(readMint(extended(1n, 9, [entry(18, new Uint8Array(64))], 30))?.names).toBeUndefined();
  });

  test('tells how its amounts are shown, and from when on otherwise', () => {
    const codec = getStructCodec([
      ['authority', getAddressCodec()],
      ['multiplier', getF64Codec()],
      ['nextFrom', getI64Codec()],
      ['nextMultiplier', getF64Codec()],
    ]);
    const value = fc.record({
      multiplier: fc.double(),
      nextFrom: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      nextMultiplier: fc.double(),
    });
    const other = fc.tuple(fc.integer({ min: 1, max: 24 }), fc.uint8Array({ maxLength: 60 }));
    fc.assert(
      fc.property(value, other, (told, [type, bytes]) => {
        const encoded = new Uint8Array(codec.encode({ authority: MINT as never, ...told }));
        const read = readMint(extended(7n, 8, [entry(type, bytes), entry(25, encoded)], 20));
        expect(read).toMatchObject({ supply: 7n, decimals: 8, scaling: told });
      }),
    );
    expect(readMint(extended(7n, 8, [entry(25, new Uint8Array(55))]))?.scaling).toBe('unknown');
  });

  test('tells nothing of how its amounts are shown where its bytes end before they do', () => {
    const scaled = new Uint8Array(56).fill(1);
    const whole = extended(7n, 8, [entry(18, new Uint8Array(64)), entry(14, new Uint8Array(64)), entry(25, scaled)]);
    const known = readMint(whole)?.scaling;
    expect(known).toMatchObject({ multiplier: expect.any(Number) });
    for (let length = 166; length <= whole.length; length += 1) {
      const { scaling, supply } = readMint(whole.subarray(0, length), { isCut: true })!;
      expect([length, supply, scaling]).toEqual([length, 7n, length === whole.length ? known : 'unknown']);
      // Without a word that they are cut, they may end behind an entry.
      const ends = [166, 234, 302].includes(length);
      if (length < whole.length)
        expect(readMint(whole.subarray(0, length))!.scaling).toBe(ends ? undefined : 'unknown');
    }
    const unused = extended(7n, 8, [entry(18, new Uint8Array(64))], 30);
    expect(readMint(unused, { isCut: true })!.scaling).toBeUndefined();
  });

  test('scales by the next multiplier from its second on', () => {
    const scaling = { multiplier: 1.01, nextFrom: 1_800_000_000n, nextMultiplier: 10.1 };
    expect([1_799_999_999, 1_800_000_000].map((time) => multiplierAt(scaling, time))).toEqual([1.01, 10.1]);
    expect(multiplierAt(undefined, 1)).toBe(1);
  });

  test('is no token account, extended or not, and no mint that is not initialised', () => {
    const token = base(1n, 6, 170);
    token[165] = 2;
    expect(readMint(token)).toBeUndefined();
    expect(readMint(base(1n, 6, 165))).toBeUndefined();
    expect(readMint(Buffer.alloc(82))).toBeUndefined();
  });

  test('is read without a fault wherever its bytes end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        bytes[165] = 1;
        readMint(bytes);
      }),
    );
  });
});

describe('metadata of an SPL mint', () => {
  test('are read without the zero bytes that older ones were filled up with', () => {
    fc.assert(
      fc.property(names, fc.boolean(), (named, padded) => {
        const filled = (value: string, length: number) => (padded ? value.padEnd(length, '\0') : value);
        const { name, symbol, uri } = named;
        const value = extension.encode({
          updateAuthority: TOKEN_2022_PROGRAM as never,
          mint: MINT as never,
          name: filled(name, 32),
          symbol: filled(symbol, 10),
          uri: filled(uri, 200),
          more: [],
        });
        expect(readMetadata(Buffer.concat([Buffer.of(4), new Uint8Array(value)]))).toEqual({ mint: MINT, ...named });
      }),
    );
  });

  test('are no other kind of account', () => {
    expect(readMetadata(Buffer.concat([Buffer.of(6), Buffer.alloc(400)]))).toBeUndefined();
    expect(readMetadata(Buffer.of(4))).toBeUndefined();
  });

  test('lie where @solana/kit derives them', async () => {
    const seeds = [
      'metadata',
      getAddressEncoder().encode(METADATA_PROGRAM as never),
      getAddressEncoder().encode(MINT as never),
    ];
    const [derived] = await getProgramDerivedAddress({ programAddress: METADATA_PROGRAM as never, seeds });
    expect(metadataAddress(MINT as never)).toBe(derived);
  });
});
