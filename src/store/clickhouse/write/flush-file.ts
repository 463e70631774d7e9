import { crc32 } from 'node:zlib';
import type { SlotRange } from '../coverage.ts';
import { decodeRows } from '../schema/row-codec.ts';
import type { ColumnType } from '../schema/table-layout.ts';
import { FACT_TABLES, type FactTableName } from '../schema/tables.ts';

/** All rows of some slots, as the very bytes to insert. */
export interface Flush {
  /** Names the flush for ever: with a table's name it is the token that keeps an insert from happening twice. */
  readonly id: string;
  /** Of the lease under which it was made; undefined where the folder's lock is the lease. */
  readonly epoch?: number | undefined;
  /** Id of the store that it is for, see `readStoreId`; undefined in files of earlier versions. */
  readonly store?: string | undefined;
  /** Slots that are whole once the flush is in the store. */
  readonly closes: readonly SlotRange[];
  /** Slots of which it has rows of single transactions. */
  readonly partialSlots: readonly number[];
  readonly tables: readonly FlushTable[];
}

export interface FlushTable {
  readonly table: FactTableName;
  /** Order of the values in `bytes`: what is resent may be older than the layouts we have now. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** Identity of a flush, and its slots. */
export type FlushHead = Pick<Flush, 'id' | 'epoch' | 'store' | 'closes' | 'partialSlots'>;

/** The file is not what was written. */
export class FlushDamage extends Error {
  override readonly name = 'FlushDamage';
  /** Undefined when the header is damaged too. */
  readonly head: FlushHead | undefined;

  constructor(reason: string, head?: FlushHead) {
    super(reason);
    this.head = head;
  }
}

interface Header extends FlushHead {
  readonly tables: readonly TableHeader[];
}

interface TableHeader extends Omit<FlushTable, 'bytes'> {
  /** Bytes of its rows, which follow the header in the order of the tables. */
  readonly length: number;
  /** Of those bytes. */
  readonly crc: number;
}

/** The magic, two numbers of 32 bits (the header's length, and the checksum of that and the header), the header in JSON, rows. */
const MAGIC = Buffer.from('mintscope-flush-2\n');
/** The magic, the header's length, the header in JSON, rows: without any checksum. */
const OLD_MAGIC = Buffer.from('mintscope-flush-1\n');
const WORD_BYTES = 4;

const COLUMN_TYPES: ReadonlyMap<string, Readonly<Record<string, ColumnType>>> = new Map(
  FACT_TABLES.map(({ name, columns }) => [name, columns]),
);

/** The bytes of a flush's file, in pieces: rows are not copied. */
export function encodeFlush({ tables, ...head }: Flush): Uint8Array[] {
  const header: Header = {
    ...head,
    tables: tables.map(({ bytes, ...table }) => ({ ...table, length: bytes.length, crc: crc32(bytes) })),
  };
  const json = Buffer.from(JSON.stringify(header));
  const words = Buffer.alloc(2 * WORD_BYTES);
  words.writeUInt32LE(json.length);
  words.writeUInt32LE(headerCrc(words, json), WORD_BYTES);
  return [Buffer.concat([MAGIC, words, json]), ...tables.map(({ bytes }) => bytes)];
}

/**
 * The flush of a file, also of one that an earlier version wrote: of that only its shape can be checked.
 * Throws {@link FlushDamage} for every other bytes than those that were written.
 */
export function decodeFlush(file: Buffer): Flush {
  const magic = file.subarray(0, MAGIC.length);
  if (magic.equals(MAGIC)) return decodeChecked(file);
  if (magic.equals(OLD_MAGIC)) return decodeOld(file);
  throw new FlushDamage('it begins as no flush does that this version knows');
}

function decodeChecked(file: Buffer): Flush {
  const start = MAGIC.length + 2 * WORD_BYTES;
  if (file.length < start) throw new FlushDamage('it ends before its header');
  const words = file.subarray(MAGIC.length, start);
  const json = file.subarray(start, start + words.readUInt32LE());
  if (headerCrc(words, json) !== words.readUInt32LE(WORD_BYTES)) {
    throw new FlushDamage('its header does not have its checksum');
  }
  const header = parseHeader(json);
  return cutTables(header, file, start + json.length, ({ table, crc }, bytes) => {
    if (crc32(bytes) !== crc) throw new FlushDamage(`its rows of ${table} do not have their checksum`, headOf(header));
  });
}

function decodeOld(file: Buffer): Flush {
  const start = OLD_MAGIC.length + WORD_BYTES;
  if (file.length < start) throw new FlushDamage('it ends before its header');
  const end = start + file.readUInt32LE(OLD_MAGIC.length);
  if (end > file.length) throw new FlushDamage('it ends inside its header');
  const header = parseHeader(file.subarray(start, end));
  return cutTables(header, file, end, (table, bytes) => {
    if (!areRows(table, bytes)) {
      throw new FlushDamage(`its rows of ${table.table} are not so many whole rows`, headOf(header));
    }
  });
}

function headerCrc(words: Buffer, json: Buffer): number {
  return crc32(json, crc32(words.subarray(0, WORD_BYTES)));
}

/** The rows of each table, which have to fill the rest of the file. */
function cutTables(
  header: Header,
  file: Buffer,
  start: number,
  check: (table: TableHeader, bytes: Buffer) => void,
): Flush {
  const end = header.tables.reduce((sum, { length }) => sum + length, start);
  if (end !== file.length) throw new FlushDamage(`it has ${file.length} bytes in place of ${end}`, headOf(header));
  let offset = start;
  const tables = header.tables.map((each) => {
    const bytes = file.subarray(offset, offset + each.length);
    offset += each.length;
    check(each, bytes);
    const { table, columns, rows } = each;
    return { table, columns, rows, bytes };
  });
  return { ...headOf(header), tables };
}

function headOf({ id, epoch, store, closes, partialSlots }: Header): FlushHead {
  return { id, epoch, store, closes, partialSlots };
}

/** True when bytes hold as many rows as they should. Columns that no layout has any more are left to the store. */
function areRows({ table, columns, rows }: TableHeader, bytes: Buffer): boolean {
  const types = COLUMN_TYPES.get(table)!;
  if (columns.some((column) => types[column] === undefined)) return true;
  const layout = { name: table, columns: Object.fromEntries(columns.map((column) => [column, types[column]!])) };
  try {
    return decodeRows(layout, bytes).length === rows;
  } catch {
    return false;
  }
}

function parseHeader(json: Buffer): Header {
  let header: unknown;
  try {
    header = JSON.parse(json.toString('utf8'));
  } catch {
    throw new FlushDamage('its header is no JSON');
  }
  if (!isHeader(header)) throw new FlushDamage('its header is that of no flush');
  return header;
}

function isHeader(value: unknown): value is Header {
  const { id, epoch, store, closes, partialSlots, tables } = asFields(value);
  return (
    typeof id === 'string' &&
    (epoch === undefined || isCount(epoch)) &&
    (store === undefined || typeof store === 'string') &&
    isListOf(closes, isRange) &&
    isListOf(partialSlots, isCount) &&
    isListOf(tables, isTableHeader)
  );
}

function isRange(value: unknown): boolean {
  const { first, last } = asFields(value);
  return isCount(first) && isCount(last) && first <= last;
}

function isTableHeader(value: unknown): boolean {
  const { table, columns, rows, length } = asFields(value);
  const isKnown = typeof table === 'string' && COLUMN_TYPES.has(table);
  return isKnown && isListOf(columns, (column) => typeof column === 'string') && isCount(rows) && isCount(length);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
