import type { ColumnType } from './table-layout.ts';

const STORE_TYPES: Readonly<Record<ColumnType, string>> = {
  account: 'FixedString(32)',
  address: 'FixedString(32)',
  signature: 'FixedString(64)',
  u8: 'UInt8',
  u16: 'UInt16',
  u32: 'UInt32',
  u64: 'UInt64',
  i64: 'Int64',
  i128: 'Int128',
  f64: 'Float64',
  bool: 'Bool',
  string: 'String',
  bytes: 'String',
  time: "DateTime('UTC')",
};

/** The name that ClickHouse has for a column's type. */
export function storeType(type: ColumnType): string {
  return STORE_TYPES[type];
}
