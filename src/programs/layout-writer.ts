import type { Address } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import type { DataOf, FieldType, FixedPrimitive, Layout } from './layout.ts';
import { layoutFields } from './layout.ts';

/** Longest value that is ever encoded; an instruction cannot carry more than 10 kB. */
const MAX_ENCODED_BYTES = 16_384;

const scratch = new Uint8Array(MAX_ENCODED_BYTES);
const view = new DataView(scratch.buffer);
const utf8 = new TextEncoder();

/**
 * Discriminator and fields of a value, in wire order, up to the first appended
 * field that is undefined: data without the later fields encodes as an older
 * generation did.
 *
 * Throws TypeError when a field of the first generation is missing or a field
 * follows a missing one, RangeError when the value does not fit.
 */
export function encodeLayout<const L extends Layout>(layout: L, data: DataOf<L>): Uint8Array {
  let offset = writeDiscriminator(layout.discriminator);
  let missing: string | undefined;
  for (const { name, type, required } of layoutFields(layout)) {
    const value = (data as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) {
      if (required) throw new TypeError(`${name} is missing`);
      missing ??= name;
    } else if (missing !== undefined) {
      throw new TypeError(`${name} cannot be written without ${missing} before it`);
    } else {
      offset = writeField(type, value, offset);
    }
  }
  return scratch.slice(0, offset);
}

/** The eight bytes of a discriminator. */
export function discriminatorBytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

function writeDiscriminator(hex: string): number {
  scratch.set(discriminatorBytes(hex));
  return hex.length / 2;
}

function writeField(type: FieldType, value: unknown, offset: number): number {
  if (typeof type === 'string') {
    if (type === 'string') return writeBytes(utf8.encode(value as string), offset);
    if (type === 'bytes') return writeBytes(value as Uint8Array, offset);
    return PRIMITIVE_WRITERS[type](value, offset);
  }
  if ('option' in type) {
    scratch[offset] = value === null ? 0 : 1;
    return value === null ? offset + 1 : writeField(type.option, value, offset + 1);
  }
  if ('struct' in type) {
    const members = value as Readonly<Record<string, unknown>>;
    return Object.entries(type.struct).reduce((at, [name, member]) => writeField(member, members[name], at), offset);
  }
  const elements = value as readonly unknown[];
  if ('vec' in type) {
    view.setUint32(offset, elements.length, true);
    return elements.reduce<number>((at, element) => writeField(type.vec, element, at), offset + 4);
  }
  if (elements.length !== type.length) throw new RangeError(`expected ${type.length} elements`);
  return elements.reduce<number>((at, element) => writeField(type.array, element, at), offset);
}

function writeBytes(bytes: Uint8Array, offset: number): number {
  view.setUint32(offset, bytes.length, true);
  scratch.set(bytes, offset + 4);
  return offset + 4 + bytes.length;
}

const PRIMITIVE_WRITERS: Readonly<Record<FixedPrimitive, (value: unknown, offset: number) => number>> = {
  bool: (value, offset) => {
    scratch[offset] = value === true ? 1 : 0;
    return offset + 1;
  },
  u8: (value, offset) => {
    view.setUint8(offset, value as number);
    return offset + 1;
  },
  u16: (value, offset) => {
    view.setUint16(offset, value as number, true);
    return offset + 2;
  },
  u32: (value, offset) => {
    view.setUint32(offset, value as number, true);
    return offset + 4;
  },
  u64: (value, offset) => {
    view.setBigUint64(offset, value as bigint, true);
    return offset + 8;
  },
  i64: (value, offset) => {
    view.setBigInt64(offset, value as bigint, true);
    return offset + 8;
  },
  u128: writeWide,
  i128: writeWide,
  address: (value, offset) => {
    scratch.set(addressBytes(value as Address), offset);
    return offset + 32;
  },
};

/** Two's complement, so that one writer serves both signs. */
function writeWide(value: unknown, offset: number): number {
  view.setBigUint64(offset, BigInt.asUintN(64, value as bigint), true);
  view.setBigUint64(offset + 8, BigInt.asUintN(64, (value as bigint) >> 64n), true);
  return offset + 16;
}
