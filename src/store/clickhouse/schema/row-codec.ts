import { ZERO_ADDRESS } from '../../../chain/address.ts';
import { internAddress } from '../../../chain/keys/address-table.ts';
import { writeAddress } from '../../../chain/keys/address-words.ts';
import type { RowBytes } from './row-batch.ts';
import type { ColumnType, RowOf, TableLayout } from './table-layout.ts';

/**
 * RowBinary of a table's rows, both ways, compiled out of its layout: one
 * straight line of writes (or reads) per row, in column order. The source is
 * made of our own layouts alone, never of input.
 *
 * An account is its 32 bytes. An address that may be missing is too, and 32 zero
 * bytes are none (''): table-layout.ts says why no column takes one for the other.
 */
export function encodeRows<const T extends TableLayout>(layout: T, rows: readonly RowOf<T>[]): RowBytes {
  if (rows.length === 0) return { rows: 0, bytes: new Uint8Array(0) };
  const length = writerOf(layout)(scratch, rows);
  return { rows: rows.length, bytes: new Uint8Array(scratch.bytes.subarray(0, length)) };
}

/** Every row that `bytes` holds. Throws {@link RowBytesError} when they do not end with a row. */
export function decodeRows<const T extends TableLayout>(layout: T, bytes: Uint8Array): RowOf<T>[] {
  const { rows, length } = decodeFirstRows(layout, bytes);
  if (length < bytes.length) throw new RowBytesError(layout.name, length);
  return rows;
}

/** Rows that begin `bytes`, and how many bytes they take: behind them is a part of one that is still to come, or nothing. */
export function decodeFirstRows<const T extends TableLayout>(layout: T, bytes: Uint8Array): FirstRows<RowOf<T>> {
  const { buffer, byteOffset, byteLength } = bytes;
  // A plain array even when given a Buffer, whose slices would be views of it.
  const plain = new Uint8Array(buffer, byteOffset, byteLength);
  return readerOf(layout)(plain, new DataView(buffer, byteOffset, byteLength)) as FirstRows<RowOf<T>>;
}

export interface FirstRows<R> {
  readonly rows: R[];
  readonly length: number;
}

/** A value that its column cannot hold. Nothing is written of the rows it came with. */
export class RowRangeError extends RangeError {
  override readonly name = 'RowRangeError';
  readonly code = 'row_value_out_of_range';
  readonly table: string;
  readonly column: string;

  constructor(table: string, column: string, type: ColumnType, value: unknown) {
    const shown = value instanceof Uint8Array ? `${value.length} bytes` : `${typeof value} ${String(value)}`;
    super(`${table}.${column} holds ${type}, not ${shown}`);
    this.table = table;
    this.column = column;
  }
}

/** Bytes that are not whole rows of the table. */
export class RowBytesError extends Error {
  override readonly name = 'RowBytesError';
  readonly code = 'row_bytes_malformed';

  constructor(table: string, offset: number) {
    super(`bytes of ${table} end inside the row that starts at ${offset}`);
  }
}

/** Bytes of rows before they are copied out in one piece. Grows by doubling and is kept. */
class RowBuffer {
  bytes = Buffer.allocUnsafeSlow(1 << 20);
  view = new DataView(this.bytes.buffer);

  /** Makes room for `size` bytes after `offset`. */
  reserve(offset: number, size: number): void {
    if (offset + size <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, offset + size));
    larger.set(this.bytes.subarray(0, offset));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}

type RowWriter = (buffer: RowBuffer, rows: readonly unknown[]) => number;
type RowReader = (bytes: Uint8Array, view: DataView) => FirstRows<unknown>;

// Encoding is synchronous, so one buffer serves all tables.
const scratch = new RowBuffer();
const writers = new WeakMap<TableLayout, RowWriter>();
const readers = new WeakMap<TableLayout, RowReader>();

function writerOf(layout: TableLayout): RowWriter {
  let writer = writers.get(layout);
  if (writer === undefined) {
    const fail = (column: string, value: unknown) => {
      throw new RowRangeError(layout.name, column, layout.columns[column]!, value);
    };
    writer = new Function('writeAddress', 'fail', writerSource(layout))(writeAddress, fail) as RowWriter;
    writers.set(layout, writer);
  }
  return writer;
}

function readerOf(layout: TableLayout): RowReader {
  let reader = readers.get(layout);
  if (reader === undefined) {
    const build = new Function('internAddress', 'ZERO', readerSource(layout));
    reader = build(internAddress, ZERO_ADDRESS) as RowReader;
    readers.set(layout, reader);
  }
  return reader;
}

/** Bytes of a column; 0 for what says its own length. */
const SIZES: Readonly<Record<ColumnType, number>> = {
  account: 32,
  address: 32,
  signature: 64,
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  i64: 8,
  i128: 16,
  f64: 8,
  bool: 1,
  string: 0,
  bytes: 0,
  time: 4,
};

/** UTF-8 never takes more bytes than this per UTF-16 unit. */
const UTF8_MAX = 3;
/** A length below 2^35 fits into five bytes of seven bits. */
const VARINT_MAX = 5;

function writerSource(layout: TableLayout): string {
  const columns = Object.entries(layout.columns);
  const texts = columns.filter(([, type]) => type === 'string').map(([name]) => name);
  const lists = columns.filter(([, type]) => type === 'bytes').map(([name]) => name);
  const fixed = columns.reduce((sum, [, type]) => sum + SIZES[type], (texts.length + lists.length) * VARINT_MAX);
  const room = [
    fixed,
    ...texts.map((name) => `row.${name}.length * ${UTF8_MAX}`),
    ...lists.map((name) => `row.${name}.length`),
  ].join(' + ');
  return [
    'return function write(buffer, rows) {',
    'let o = 0, x, n;',
    'for (let i = 0; i < rows.length; i++) {',
    'const row = rows[i];',
    ...texts.map((name) => `if (typeof row.${name} !== 'string') fail('${name}', row.${name});`),
    ...lists.map((name) => `if (!(row.${name} instanceof Uint8Array)) fail('${name}', row.${name});`),
    `buffer.reserve(o, ${room});`,
    'const bytes = buffer.bytes, v = buffer.view;',
    ...columns.map(([name, type]) => `x = row.${name}; ${WRITES[type].replaceAll('FAIL', `fail('${name}', x)`)}`),
    '}',
    'return o;',
    '};',
  ].join('\n');
}

/** Writes the length `n` in sevens of bits. */
const WRITE_LENGTH =
  'for (let m = n; ; m >>>= 7) { if (m < 128) { bytes[o++] = m; break; } bytes[o++] = (m & 127) | 128; } ';
/** Where a row ends that is not whole. */
const NOT_WHOLE = 'return { rows, length: start };';
/** Reads it, and checks that so much follows. */
const READ_LENGTH =
  `n = 0; { let shift = 1, b; do { if (o >= end) ${NOT_WHOLE} b = bytes[o++]; n += (b & 127) * shift; shift *= 128; } while (b > 127); }` +
  ` if (o + n > end) ${NOT_WHOLE} `;

const WRITES: Readonly<Record<ColumnType, string>> = {
  account: "if (typeof x !== 'string' || x === '') FAIL; writeAddress(x, v, o); o += 32;",
  address: "if (x === '') bytes.fill(0, o, o + 32); else writeAddress(x, v, o); o += 32;",
  signature: 'if (x.length !== 64) FAIL; bytes.set(x, o); o += 64;',
  u8: 'if ((x & 0xff) !== x) FAIL; bytes[o] = x; o += 1;',
  u16: 'if ((x & 0xffff) !== x) FAIL; v.setUint16(o, x, true); o += 2;',
  u32: 'if (x >>> 0 !== x) FAIL; v.setUint32(o, x, true); o += 4;',
  time: 'if (x >>> 0 !== x) FAIL; v.setUint32(o, x, true); o += 4;',
  u64: "if (typeof x !== 'bigint' || x < 0n || x > 0xffffffffffffffffn) FAIL; v.setBigUint64(o, x, true); o += 8;",
  i64: "if (typeof x !== 'bigint' || BigInt.asIntN(64, x) !== x) FAIL; v.setBigInt64(o, x, true); o += 8;",
  i128:
    "if (typeof x !== 'bigint' || BigInt.asIntN(128, x) !== x) FAIL; " +
    'v.setBigUint64(o, BigInt.asUintN(64, x), true); v.setBigInt64(o + 8, x >> 64n, true); o += 16;',
  f64: 'if (!Number.isFinite(x)) FAIL; v.setFloat64(o, x, true); o += 8;',
  bool: "if (typeof x !== 'boolean') FAIL; bytes[o] = x ? 1 : 0; o += 1;",
  string: `n = Buffer.byteLength(x); ${WRITE_LENGTH}bytes.write(x, o, n, 'utf8'); o += n;`,
  bytes: `n = x.length; ${WRITE_LENGTH}bytes.set(x, o); o += n;`,
};

function readerSource(layout: TableLayout): string {
  const columns = Object.entries(layout.columns);
  const names = columns.map(([name]) => name);
  return [
    // BOM kept: what was written is what is read.
    'const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });',
    'return function read(bytes, v) {',
    'const rows = [], end = bytes.length;',
    'let o = 0, x, n;',
    'while (o < end) {',
    'const start = o;',
    ...columns.flatMap(([name, type]) => [
      ...(SIZES[type] === 0 ? [] : [`if (o + ${SIZES[type]} > end) ${NOT_WHOLE}`]),
      `${READS[type]} const c_${name} = x;`,
    ]),
    `rows.push({ ${names.map((name) => `${name}: c_${name}`).join(', ')} });`,
    '}',
    'return { rows, length: o };',
    '};',
  ].join('\n');
}

const READS: Readonly<Record<ColumnType, string>> = {
  account: 'x = internAddress(bytes, o); o += 32;',
  address: "x = internAddress(bytes, o); if (x === ZERO) x = ''; o += 32;",
  signature: 'x = bytes.slice(o, o + 64); o += 64;',
  u8: 'x = bytes[o]; o += 1;',
  u16: 'x = v.getUint16(o, true); o += 2;',
  u32: 'x = v.getUint32(o, true); o += 4;',
  time: 'x = v.getUint32(o, true); o += 4;',
  u64: 'x = v.getBigUint64(o, true); o += 8;',
  i64: 'x = v.getBigInt64(o, true); o += 8;',
  i128: 'x = (v.getBigInt64(o + 8, true) << 64n) | v.getBigUint64(o, true); o += 16;',
  f64: 'x = v.getFloat64(o, true); o += 8;',
  bool: 'x = bytes[o] !== 0; o += 1;',
  string: `${READ_LENGTH}x = utf8.decode(bytes.subarray(o, o + n)); o += n;`,
  bytes: `${READ_LENGTH}x = bytes.slice(o, o + n); o += n;`,
};
