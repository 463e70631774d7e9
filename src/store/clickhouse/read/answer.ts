import type { ClickHouseSettings } from '@clickhouse/client';
import { ReadFault } from '../../reads/read-fault.ts';
import { decodeRows, RowBytesError } from '../schema/row-codec.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';

/** The whole body of an answer, and how many rows the server says are in it. */
export interface Answer {
  readonly bytes: Buffer;
  readonly rows: number;
}

/** Bytes of one answer that are kept in the server's memory; a longer one goes to its disk first. */
const BUFFER_BYTES = 1024 ** 2;

/**
 * Held back until it is whole: an error half-way would be text among the rows, and only then does the server
 * know how many there are. Short answers never touch its disk, so that a full one does not cut them off.
 */
export const WHOLE_ANSWER = { wait_end_of_query: 1, buffer_size: String(BUFFER_BYTES) } as ClickHouseSettings;

/**
 * The number of rows by the answer's `X-ClickHouse-Summary`. The server counts them before it writes its body, so that
 * a body that it could not write, for which it answers 200 as well, is not taken for an answer without rows.
 */
export function rowsPromised(summary: { readonly result_rows: string } | undefined): number {
  const text = summary?.result_rows;
  if (text === undefined || !/^\d+$/.test(text)) {
    throw new ReadFault(
      'incomplete',
      'the answer does not say how many rows it has: its X-ClickHouse-Summary is missing',
    );
  }
  return Number(text);
}

/** Throws when an answer does not have all its rows. */
export function assertWhole(rows: number, promised: number): void {
  if (rows !== promised) throw new ReadFault('incomplete', `${rows} of ${promised} rows have come of an answer`);
}

/** Rows of an answer in RowBinary. */
export function answerRows<const T extends TableLayout>(layout: T, { bytes, rows: promised }: Answer): RowOf<T>[] {
  const rows = decodeWhole(layout, bytes);
  assertWhole(rows.length, promised);
  return rows;
}

/** Rows of an answer in JSONEachRow: each is a line, and each line ends. */
export function answerJson({ bytes, rows: promised }: Answer): unknown[] {
  const lines = bytes.toString().split('\n');
  const rest = lines.pop();
  if (rest !== '') throw new ReadFault('incomplete', 'an answer ends inside of a row');
  assertWhole(lines.length, promised);
  return lines.map((line): unknown => JSON.parse(line));
}

function decodeWhole<const T extends TableLayout>(layout: T, bytes: Uint8Array): RowOf<T>[] {
  try {
    return decodeRows(layout, bytes);
  } catch (error) {
    if (!(error instanceof RowBytesError)) throw error;
    throw new ReadFault('incomplete', `an answer ends inside of a row: ${error.message}`);
  }
}
