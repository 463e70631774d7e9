import type { RowInsert } from './client.ts';
import { storeType } from './store-types.ts';
import type { ColumnType, TableLayout } from './table-layout.ts';

/**
 * The server's own word on who may write: a process that was frozen just behind its own check sends its insert when it
 * goes on, after another has taken over. The server reads the lease when the insert comes, and refuses it.
 */

/** What the refusal says: the client makes `lease_lost` of it. */
export const FENCE_WORDS = 'mintscope: a newer writer has the lease';

/**
 * Longest that an insert under a lease may take the server: whoever takes over begins only when every insert that was
 * begun in time has ended. A successor waits 15 seconds from the last renewal, and nothing begins later than 6 behind it.
 */
export const FENCED_INSERT_SECONDS = 9;

/** Rows of an insert as a SELECT reads them. */
export function inputOf({ columns: types }: TableLayout, columns: readonly string[]): string {
  const structure = columns.map((column) => `${column} ${storeType(types[column] as ColumnType)}`).join(', ');
  // A quote inside a quoted text is written twice.
  return `input('${structure.replaceAll("'", "''")}')`;
}

/** The same rows, refused where a newer epoch than ours has the lease. */
export function fenced(rows: string, epoch: number): string {
  return `(SELECT * FROM ${rows} WHERE ${fenceOf(epoch)})`;
}

/** A condition that holds, or ends the statement. */
export function fenceOf(epoch: number): string {
  return `throwIf((SELECT max(epoch) FROM writer_lease) > ${epoch}, '${FENCE_WORDS}') = 0`;
}

/** The same for rows that are inserted as they are; nothing where no fence is needed. */
export function fencedRows(
  layout: TableLayout,
  columns: readonly string[],
  epoch: number | undefined,
): Pick<RowInsert, 'select' | 'maxSeconds'> {
  if (epoch === undefined) return {};
  const names = columns.join(', ');
  return {
    select: `(${names}) SELECT ${names} FROM ${fenced(inputOf(layout, columns), epoch)}`,
    maxSeconds: FENCED_INSERT_SECONDS,
  };
}

/** Whether the server refused an insert because another has the lease by now. */
export function isFencedOff(error: unknown): boolean {
  return error instanceof Error && error.message.includes(FENCE_WORDS);
}
