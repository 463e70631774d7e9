import type { Address } from '../chain/address.ts';

/**
 * Layouts as data. A table of named fields gives the TypeScript type of the
 * decoded value, a generated reader, an encoder, and in tests an Anchor IDL:
 * no layout is written twice.
 */

/** Types whose length is known beforehand. All integers are little-endian; i64, u64 and wider are bigint. */
export type FixedPrimitive = 'bool' | 'u8' | 'u16' | 'u32' | 'u64' | 'i64' | 'u128' | 'i128' | 'address';

/** Borsh: `bytes` and `string` are a u32 length and as many bytes. */
export type Primitive = FixedPrimitive | 'string' | 'bytes';

/** A struct's fields in wire order. */
export interface FixedFields {
  readonly [name: string]: FixedType;
}

export type FixedType =
  | FixedPrimitive
  | { readonly array: FixedType; readonly length: number }
  | { readonly struct: FixedFields };

/** `vec` is a u32 count and the elements; `option` a presence byte and, when it is 1, the value. */
export type FieldType = Primitive | FixedType | { readonly vec: FixedType } | { readonly option: FixedType };

export interface Fields {
  readonly [name: string]: FieldType;
}

/** Fields that a program appended to a layout, and the date or SDK version that first shows them. */
export interface Generation {
  readonly since: string;
  readonly fields: Fields;
}

/**
 * The wire form of one event or of one instruction's arguments. `fields` is the
 * first generation: bytes that end before it are no such value. Every later
 * field may be missing, from some point to the end.
 */
export interface Layout {
  /** The first eight bytes of the data, as 16 hex digits. */
  readonly discriminator: string;
  readonly fields: Fields;
  readonly appended?: readonly Generation[];
}

/** Layouts of one program by the name its IDL gives them. */
export interface LayoutTable {
  readonly [name: string]: Layout;
}

interface PrimitiveValues {
  bool: boolean;
  u8: number;
  u16: number;
  u32: number;
  u64: bigint;
  i64: bigint;
  u128: bigint;
  i128: bigint;
  address: Address;
  string: string;
  bytes: Uint8Array;
}

export type ValueOf<T> = T extends keyof PrimitiveValues
  ? PrimitiveValues[T]
  : T extends { readonly vec: infer E }
    ? readonly ValueOf<E>[]
    : T extends { readonly option: infer E }
      ? ValueOf<E> | null
      : T extends { readonly array: infer E }
        ? readonly ValueOf<E>[]
        : T extends { readonly struct: infer S }
          ? StructOf<S>
          : never;

type StructOf<F> = { readonly [K in keyof F]: ValueOf<F[K]> };

type AppendedOf<F> = { readonly [K in keyof F]?: ValueOf<F[K]> | undefined };

type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void ? I : never;

/** The decoded value of a layout: its first generation whole, what came later optional. */
export type DataOf<L> = L extends {
  readonly fields: infer F;
  readonly appended: readonly { readonly fields: infer G }[];
}
  ? Flat<StructOf<F> & AppendedOf<Intersection<G>>>
  : L extends { readonly fields: infer F }
    ? StructOf<F>
    : never;

type Flat<T> = { readonly [K in keyof T]: T[K] };

/** Every field of a layout in wire order, with whether it belongs to the first generation. */
export function layoutFields(layout: Layout): { name: string; type: FieldType; required: boolean }[] {
  const required = Object.entries(layout.fields).map(([name, type]) => ({ name, type, required: true }));
  const appended = (layout.appended ?? []).flatMap((generation) =>
    Object.entries(generation.fields).map(([name, type]) => ({ name, type, required: false })),
  );
  return [...required, ...appended];
}

const FIXED_SIZES: Readonly<Record<FixedPrimitive, number>> = {
  bool: 1,
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  i64: 8,
  u128: 16,
  i128: 16,
  address: 32,
};

/** Encoded length in bytes; undefined when it depends on the value. */
export function fixedSize(type: FieldType): number | undefined {
  if (typeof type === 'string') return type === 'string' || type === 'bytes' ? undefined : FIXED_SIZES[type];
  if ('array' in type) return type.length * sizeOf(type.array);
  if ('struct' in type) return Object.values(type.struct).reduce((sum, field) => sum + sizeOf(field), 0);
  return undefined;
}

/** Encoded length in bytes of a type of fixed length. */
export function sizeOf(type: FixedType): number {
  return fixedSize(type)!;
}
