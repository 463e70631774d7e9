import fc from 'fast-check';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import type { FieldType, Layout } from '../../src/programs/layout.ts';
import { layoutFields } from '../../src/programs/layout.ts';

/** Any value of a field, extremes included. */
export function fieldValue(type: FieldType): fc.Arbitrary<unknown> {
  if (typeof type === 'string') return PRIMITIVES[type];
  if ('vec' in type) return fc.array(fieldValue(type.vec), { maxLength: 4 });
  if ('option' in type) return fc.option(fieldValue(type.option), { nil: null });
  if ('array' in type) return fc.array(fieldValue(type.array), { minLength: type.length, maxLength: type.length });
  return fc.record(Object.fromEntries(Object.entries(type.struct).map(([name, member]) => [name, fieldValue(member)])));
}

const PRIMITIVES: Readonly<Record<Extract<FieldType, string>, fc.Arbitrary<unknown>>> = {
  bool: fc.boolean(),
  u8: fc.integer({ min: 0, max: 0xff }),
  u16: fc.integer({ min: 0, max: 0xffff }),
  u32: fc.integer({ min: 0, max: 0xffff_ffff }),
  u64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  i64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  u128: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  i128: fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }),
  address: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeAddress(bytes)),
  string: fc.string({ unit: 'grapheme', maxLength: 40 }),
  bytes: fc.uint8Array({ maxLength: 40 }),
};

export interface GeneratedValue {
  /** Fields that are there; the others are undefined, as in an older generation. */
  readonly present: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A value of a layout that ends behind some field, never before the first generation does. */
export function layoutValue(layout: Layout): fc.Arbitrary<GeneratedValue> {
  const fields = layoutFields(layout);
  const required = fields.filter((field) => field.required).length;
  return fc
    .tuple(
      fc.integer({ min: required, max: fields.length }),
      fc.tuple(...fields.map((field) => fieldValue(field.type))),
    )
    .map(([present, values]) => ({
      present,
      data: Object.fromEntries(fields.map((field, index) => [field.name, index < present ? values[index] : undefined])),
    }));
}
