import type { Codec } from '@solana/kit';
import {
  addCodecSizePrefix,
  getAddressCodec,
  getArrayCodec,
  getBooleanCodec,
  getBytesCodec,
  getI64Codec,
  getI128Codec,
  getNullableCodec,
  getStructCodec,
  getU8Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU128Codec,
  getUtf8Codec,
} from '@solana/kit';
import type { FieldType } from '../../src/programs/layout.ts';

type AnyCodec = Codec<unknown>;

/** The first `count` fields of a layout as a codec of @solana/kit: a second opinion on every byte. */
export function kitCodec(fields: readonly { name: string; type: FieldType }[], count = fields.length): AnyCodec {
  const members = fields.slice(0, count).map((field) => [field.name, fieldCodec(field.type)] as [string, AnyCodec]);
  return getStructCodec(members) as unknown as AnyCodec;
}

function fieldCodec(type: FieldType): AnyCodec {
  if (typeof type === 'string') return PRIMITIVES[type]();
  if ('vec' in type) return getArrayCodec(fieldCodec(type.vec)) as unknown as AnyCodec;
  if ('option' in type) return getNullableCodec(fieldCodec(type.option)) as unknown as AnyCodec;
  if ('array' in type) return getArrayCodec(fieldCodec(type.array), { size: type.length }) as unknown as AnyCodec;
  return kitCodec(Object.entries(type.struct).map(([name, member]) => ({ name, type: member })));
}

const PRIMITIVES: Readonly<Record<Extract<FieldType, string>, () => AnyCodec>> = {
  bool: () => getBooleanCodec() as unknown as AnyCodec,
  u8: () => getU8Codec() as unknown as AnyCodec,
  u16: () => getU16Codec() as unknown as AnyCodec,
  u32: () => getU32Codec() as unknown as AnyCodec,
  u64: () => getU64Codec() as unknown as AnyCodec,
  i64: () => getI64Codec() as unknown as AnyCodec,
  u128: () => getU128Codec() as unknown as AnyCodec,
  i128: () => getI128Codec() as unknown as AnyCodec,
  address: () => getAddressCodec() as unknown as AnyCodec,
  string: () => addCodecSizePrefix(getUtf8Codec(), getU32Codec()) as unknown as AnyCodec,
  bytes: () => addCodecSizePrefix(getBytesCodec(), getU32Codec()) as unknown as AnyCodec,
};
