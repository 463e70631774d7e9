import { BorshEventCoder } from '@coral-xyz/anchor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anchorIdl, fromAnchor } from '../../test/support/anchor-idl.ts';
import { extent } from '../../test/support/extent.ts';
import { kitCodec } from '../../test/support/kit-codec.ts';
import { layoutValue } from '../../test/support/layout-values.ts';
import { DISCRIMINATOR_BYTES } from './discriminator.ts';
import type { DataOf, Layout } from './layout.ts';
import { fixedSize, layoutFields } from './layout.ts';
import { LayoutCursor } from './layout-cursor.ts';
import { compileReader } from './layout-reader.ts';
import { encodeLayout } from './layout-writer.ts';
import { VENUE_NAMES, VENUES } from './venues.ts';

interface Case {
  readonly title: string;
  readonly name: string;
  readonly layout: Layout;
}

const EVENTS = VENUE_NAMES.flatMap((venue) => cases(venue, VENUES[venue].events));
const INSTRUCTIONS = VENUE_NAMES.flatMap((venue) => cases(venue, VENUES[venue].instructions));
const RUNS = { numRuns: extent(10, 25) };

function cases(venue: string, layouts: Readonly<Record<string, Layout>>): Case[] {
  return Object.entries(layouts).map(([name, layout]) => ({ title: `${venue}.${name}`, name, layout }));
}

function encode(layout: Layout, data: Readonly<Record<string, unknown>>): Uint8Array {
  return encodeLayout(layout, data as DataOf<Layout>);
}

describe.each(EVENTS)('event $title', ({ name, layout }) => {
  const fields = layoutFields(layout);
  const read = compileReader(layout);

  test('is read as Anchor reads it, at every generation', () => {
    const coders = new Map<number, BorshEventCoder>();
    fc.assert(
      fc.property(layoutValue(layout), ({ present, data }) => {
        const bytes = encode(layout, data);
        const coder = coders.get(present) ?? new BorshEventCoder(anchorIdl({ [name]: layout }, present));
        coders.set(present, coder);
        const theirs = coder.decode(Buffer.from(bytes).toString('base64'));
        expect(theirs?.name).toBe(name);
        const ours = read(new LayoutCursor().open(bytes, DISCRIMINATOR_BYTES)) as Readonly<Record<string, unknown>>;
        for (const [index, field] of fields.entries()) {
          const expected = index < present ? fromAnchor(theirs?.data[field.name], field.type) : undefined;
          expect(ours[field.name]).toEqual(expected);
        }
      }),
      RUNS,
    );
  });
});

describe.each([...EVENTS, ...INSTRUCTIONS])('layout $title', ({ layout }) => {
  const fields = layoutFields(layout);
  const read = compileReader(layout);

  test('is written and read as the codecs of @solana/kit do', () => {
    fc.assert(
      fc.property(layoutValue(layout), ({ present, data }) => {
        const bytes = encode(layout, data);
        const theirs = kitCodec(fields, present).encode(data);
        expect(Buffer.from(bytes.subarray(DISCRIMINATOR_BYTES)).equals(Buffer.from(theirs))).toBe(true);
        const cursor = new LayoutCursor().open(bytes, DISCRIMINATOR_BYTES);
        expect(read(cursor)).toEqual(data);
        expect(cursor.remaining).toBe(0);
      }),
      RUNS,
    );
  });

  test('is read field by field while bytes remain, wherever they end', () => {
    const required = fields.filter((field) => field.required).length;
    fc.assert(
      fc.property(layoutValue(layout), fc.nat(), ({ data }, cut) => {
        const whole = encode(layout, data);
        const end = DISCRIMINATOR_BYTES + (cut % (whole.length - DISCRIMINATOR_BYTES + 1));
        const cursor = new LayoutCursor().open(whole, DISCRIMINATOR_BYTES, end);
        const ours = read(cursor) as Readonly<Record<string, unknown>> | undefined;
        const present = fields.filter((_, index) => prefixBytes(layout, data, index + 1) <= end).length;
        if (present < required) {
          expect(ours).toBeUndefined();
          return;
        }
        for (const [index, field] of fields.entries()) {
          expect(ours?.[field.name]).toEqual(index < present ? data[field.name] : undefined);
        }
        expect(cursor.remaining).toBe(end - prefixBytes(layout, data, present));
      }),
      RUNS,
    );
  });

  test('leaves unknown bytes behind it to be counted', () => {
    fc.assert(
      fc.property(layoutValue(layout), fc.integer({ min: 1, max: 64 }), ({ data, present }, extra) => {
        fc.pre(present === fields.length);
        const bytes = encode(layout, data);
        const cursor = new LayoutCursor().open(Buffer.concat([bytes, Buffer.alloc(extra, 7)]), DISCRIMINATOR_BYTES);
        expect(read(cursor)).toEqual(data);
        expect(cursor.remaining).toBe(extra);
      }),
      { numRuns: 5 },
    );
  });
});

/** Length of the encoding up to `count` fields, or infinity when the value has fewer. */
function prefixBytes(layout: Layout, data: Readonly<Record<string, unknown>>, count: number): number {
  const fields = layoutFields(layout).slice(0, count);
  if (fields.some((field) => data[field.name] === undefined)) return Number.POSITIVE_INFINITY;
  return DISCRIMINATOR_BYTES + kitCodec(fields).encode(data).length;
}

test('no bytes make a reader throw or read past their end', () => {
  const readers = EVENTS.map(({ layout }) => compileReader(layout));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat({ max: EVENTS.length - 1 }), (bytes, index) => {
      const cursor = new LayoutCursor().open(bytes);
      readers[index]!(cursor);
      expect(cursor.offset).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: 2_000 },
  );
});

test('a value that misses a field in the middle is refused, not shifted', () => {
  const layout = {
    discriminator: '0102030405060708',
    fields: { a: 'u8' },
    appended: [later('b'), later('c')],
  } as const;
  expect(() => encodeLayout(layout, { a: 1, c: 3 })).toThrow(/c cannot be written without b/);
  expect(() => encode(layout, { b: 1 })).toThrow(/a is missing/);
  expect([...encodeLayout(layout, { a: 1, b: 2 })]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 1, 2]);
});

function later<N extends string>(name: N) {
  return { since: 'later', fields: { [name]: 'u8' } as { readonly [K in N]: 'u8' } };
}

test('lengths of fixed types are those of Borsh', () => {
  expect(fixedSize({ struct: { a: 'address', b: { array: 'u16', length: 3 } } })).toBe(38);
  expect(fixedSize({ vec: 'u8' })).toBeUndefined();
  expect(fixedSize('string')).toBeUndefined();
});
