import { type RowInsert, runStatement, type StoreClient } from '../client.ts';
import { storeType } from '../schema/store-types.ts';
import type { ColumnType, TableLayout } from '../schema/table-layout.ts';

/**
 * The server's own word on who may write: a process that was frozen just behind its own check sends its insert when it
 * goes on, after another has taken over. The server reads the lease when the insert comes, and refuses it.
 */

/** The holder of a lease under which something is written. */
export interface LeaseHolder {
  readonly epoch: number;
  readonly owner: string;
}

/** What the refusal says: the client makes `lease_lost` of it. */
const FENCE_WORDS = 'mintscope: a newer writer has the lease';
/** The server's error when it takes these words for a number. Any other error may quote the statement, words and all. */
const REFUSAL = `Cannot parse string '${FENCE_WORDS}'`;

/**
 * Longest that an insert under a lease may take the server, which stops it at its next step behind that: a successor begins
 * a while after every insert is over that the server let in before it saw the new lease.
 */
export const FENCED_INSERT_SECONDS = 8;

/** Rows of an insert as a SELECT reads them. */
export function inputOf({ columns: types }: TableLayout, columns: readonly string[]): string {
  const structure = columns.map((column) => `${column} ${storeType(types[column] as ColumnType)}`).join(', ');
  // A quote inside a quoted text is written twice.
  return `input('${structure.replaceAll("'", "''")}')`;
}

/** The same rows, refused where a newer epoch than ours has the lease. */
export function fenced(rows: string, holder: LeaseHolder): string {
  return `(SELECT * FROM ${rows} WHERE ${fenceOf(holder)})`;
}

/**
 * A condition that holds, or ends the statement. The server knows its outcome before it reads a row, and filters
 * nothing: `throwIf` would be asked for each block of rows, all of which are copied behind it.
 */
export function fenceOf(holder: LeaseHolder): string {
  return `toUInt8(if(${successorsOf(holder)} > 0, '${FENCE_WORDS}', '1')) = 1`;
}

/** How many took the lease after this one; of those who took it at the same moment, the first by name has it. */
function successorsOf({ epoch, owner }: LeaseHolder): string {
  const name = owner.replaceAll(/[\\']/g, '\\$&');
  return `(SELECT count() FROM writer_lease WHERE epoch > ${epoch} OR (epoch = ${epoch} AND owner < '${name}'))`;
}

/**
 * Deletes rows, or, once another has the lease, none: a delete that throws would be tried again by the server for ever.
 * Rows that come later than the statement are not touched by it.
 */
export async function deleteRows(
  client: StoreClient,
  table: string,
  where: string,
  holder: LeaseHolder | undefined,
): Promise<void> {
  const fence = holder === undefined ? '' : ` AND ${successorsOf(holder)} = 0`;
  // A server with replicas asks for the word that a condition may look things up.
  await runStatement(client, `DELETE FROM ${table} WHERE (${where})${fence}`, { allow_nondeterministic_mutations: 1 });
}

/** The same for rows that are inserted as they are; nothing where no fence is needed. */
export function fencedRows(
  layout: TableLayout,
  columns: readonly string[],
  holder: LeaseHolder | undefined,
): Pick<RowInsert, 'select' | 'maxSeconds'> {
  if (holder === undefined) return {};
  const names = columns.join(', ');
  return {
    select: `(${names}) SELECT ${names} FROM ${fenced(inputOf(layout, columns), holder)}`,
    maxSeconds: FENCED_INSERT_SECONDS,
  };
}

/** Whether the server refused an insert because another has the lease by now. */
export function isFencedOff(error: unknown): boolean {
  return error instanceof Error && error.message.includes(REFUSAL);
}
