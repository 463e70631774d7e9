import type { Address } from '../../../chain/address.ts';

/**
 * The columns of every fact table, in insert order. One value carries the
 * RowBinary writer, the RowBinary reader and the TypeScript row type; the
 * migrations are checked against it at start.
 */
export type ColumnType =
  /**
   * An account that is always there: FixedString(32) in the store, base58 in a row. 32 zero bytes are the
   * System program's address, which owns tokens that people send to it.
   */
  | 'account'
  /**
   * The same where there may be none, which is '' in a row and 32 zero bytes in the store. Only for what can
   * not be the System program: a market, a router, a wallet of tips, or a key of which the chain's own programs
   * say "none" by zeros too.
   */
  | 'address'
  /** FixedString(64). */
  | 'signature'
  | 'u8'
  | 'u16'
  | 'u32'
  /** bigint in a row. */
  | 'u64'
  | 'i64'
  | 'i128'
  | 'f64'
  | 'bool'
  | 'string'
  /** String in the store, any bytes in a row. */
  | 'bytes'
  /** DateTime in the store, Unix seconds in a row. */
  | 'time';

export interface TableLayout {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
}

type Value<T extends ColumnType> = T extends 'account'
  ? Address
  : T extends 'address'
    ? Address | ''
    : T extends 'signature' | 'bytes'
      ? Uint8Array
      : T extends 'u64' | 'i64' | 'i128'
        ? bigint
        : T extends 'bool'
          ? boolean
          : T extends 'string'
            ? string
            : number;

export type RowOf<T extends TableLayout> = { -readonly [K in keyof T['columns']]: Value<T['columns'][K]> };
