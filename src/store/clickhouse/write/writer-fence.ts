import { insertRows, type RowInsert, readAnswer, runStatement, type StoreClient } from '../client.ts';
import { answerJson } from '../read/answer.ts';
import { storeType } from '../schema/store-types.ts';
import type { ColumnType, TableLayout } from '../schema/table-layout.ts';
import { StoreError } from '../store-error.ts';
import { LeaseUnsure } from './lease-deadline.ts';

/** The holder of a lease under which something is written. */
export interface LeaseHolder {
  readonly epoch: number;
  readonly owner: string;
}

/**
 * The server's own word on who may write: a process that was frozen just behind its own check sends its insert when it
 * goes on, after another has taken over. The server is asked who has the lease, and every insert names the moments of
 * the server's clock for which that answer counts: it refuses what comes later.
 */
export interface WriterFence {
  readonly holder: LeaseHolder;
  /** Asks who has the lease, for what is sent next. */
  prepare(): void;
  /**
   * Runs a statement with the clause that has to end it, which takes nothing from its rows: the server lets it pass, or
   * ends the statement before it reads a row. What came too late is sent again behind a new look. Throws
   * {@link LeaseUnsure} when it never comes in time, `lease_lost` when another has the lease.
   */
  within<T>(statement: (clause: string) => Promise<T>): Promise<T>;
}

/** Milliseconds of the server's clock behind a look in which an insert may begin. */
export const FENCE_MS = 3_000;
/** A server's clock may be set back, and those of replicas differ, by so much. */
export const CLOCK_SLACK_MS = 1_000;
/** Longest that the server may take for a look: what it found is as old as that. */
const LOOK_SECONDS = 1;
/** Milliseconds of ours behind which the server is asked again, so that an insert has time to get there. */
const LOOK_AGAIN_MS = 1_000;
const MAX_TRIES = 5;
/** Longest that an insert under a lease may take the server, which stops it at its next step behind that. */
export const FENCED_INSERT_SECONDS = 8;

/** The greatest limit that there is. */
const ALL_ROWS = 2n ** 64n - 1n;
/** Words of the refusal. */
const FENCE_WORDS = 'mintscope: who has the lease was asked too long ago';
/** The server's error when it takes these words for a number. Any other error may quote the statement, words and all. */
const REFUSAL = `Cannot parse string '${FENCE_WORDS}'`;

interface FenceOptions {
  /** Asked behind each look, as close to the statement as can be. Throws when another may have taken over. */
  readonly assertHeld?: (() => void) | undefined;
  readonly now?: () => number;
}

export function createWriterFence(
  client: StoreClient,
  holder: LeaseHolder,
  { assertHeld = () => {}, now = () => performance.now() }: FenceOptions = {},
): WriterFence {
  let askedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<string> | undefined;

  function look(): Promise<string> {
    askedAt = now();
    looking = askServer(client, holder);
    looking.catch(() => {
      askedAt = Number.NEGATIVE_INFINITY;
    });
    return looking;
  }

  async function clause(): Promise<string> {
    if (looking === undefined || now() - askedAt > LOOK_AGAIN_MS) return look();
    return looking;
  }

  return {
    holder,
    prepare() {
      // A look that fails is not kept: what is sent asks again, and tells.
      void look();
    },
    async within(statement) {
      for (let tries = 1; ; tries++) {
        const asked = await clause();
        assertHeld();
        try {
          return await statement(asked);
        } catch (error) {
          if (!isTooLate(error)) throw error;
          if (tries === MAX_TRIES) throw new LeaseUnsure('no insert came to the server in time', { cause: error });
          askedAt = Number.NEGATIVE_INFINITY;
        }
      }
    },
  };
}

async function askServer(client: StoreClient, holder: LeaseHolder): Promise<string> {
  // The moment comes first: the server works columns out in their order, and what it finds later may be newer, never older.
  const [row] = answerJson(
    await readAnswer(
      client,
      `SELECT toFloat64(toUnixTimestamp64Milli(now64(3))) AS at, uptime() AS up, toString(serverUUID()) AS server,
         toUInt32(${successorsOf(holder)}) AS successors
       FORMAT JSONEachRow`,
      {},
      { settings: { max_execution_time: LOOK_SECONDS, select_sequential_consistency: '1' } },
    ),
  ) as Look[];
  if (row === undefined || row.successors > 0) throw leaseLost();
  const [at, up] = [Number(row.at), Number(row.up)];
  if (!Number.isSafeInteger(at) || !Number.isSafeInteger(up))
    throw new LeaseUnsure('the server does not tell its time');
  // Its wall clock may be stepped, its monotonic one may not; another server has one of its own.
  const isInTime = `toUnixTimestamp64Milli(now64(3)) BETWEEN ${at - CLOCK_SLACK_MS} AND ${at + FENCE_MS}
    AND (toString(serverUUID()) != '${row.server}' OR uptime() BETWEEN ${up} AND ${up + FENCE_MS / 1_000})`;
  return `LIMIT toUInt64(if(${isInTime}, '${ALL_ROWS}', '${FENCE_WORDS}'))`;
}

interface Look {
  readonly at: number | string;
  readonly up: number | string;
  readonly server: string;
  readonly successors: number;
}

function leaseLost(): StoreError {
  return new StoreError('lease_lost', 'another process took over as writer of this database');
}

/**
 * SQL that counts those who took the lease after this one; of those who took it at the same moment, the first by name
 * has it.
 */
function successorsOf({ epoch, owner }: LeaseHolder): string {
  const name = owner.replaceAll(/[\\']/g, '\\$&');
  return `(SELECT count() FROM writer_lease WHERE epoch > ${epoch} OR (epoch = ${epoch} AND owner < '${name}'))`;
}

/** Rows as they are inserted, or what a SELECT over `$rows`, one without a LIMIT, makes of them. */
export interface FencedInsert extends Omit<RowInsert, 'select' | 'maxSeconds'> {
  /** Of the bytes. */
  readonly layout: TableLayout;
  readonly select?: string | undefined;
}

/** Inserts rows, under the fence where there is one. */
export async function insertFenced(
  client: StoreClient,
  { layout, select, ...insert }: FencedInsert,
  fence: WriterFence | undefined,
): Promise<void> {
  const rows = inputOf(layout, insert.columns, select === undefined ? [] : Object.keys(layout.columns));
  if (fence === undefined) return insertRows(client, { ...insert, select: select?.replace('$rows', rows) });
  const names = insert.columns.join(', ');
  const template = (select ?? `(${names}) SELECT * FROM $rows`).replace('$rows', rows);
  await fence.within((clause) =>
    insertRows(client, { ...insert, select: `${template}\n${clause}`, maxSeconds: FENCED_INSERT_SECONDS }),
  );
}

/** Rows of an insert as a SELECT reads them; columns that it names and that they lack, as an earlier version wrote none, are zeros. */
function inputOf({ columns: types }: TableLayout, columns: readonly string[], named: readonly string[]): string {
  const typeOf = (column: string) => storeType(types[column] as ColumnType);
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const rows = `input(${quoted(columns.map((column) => `${column} ${typeOf(column)}`).join(', '))})`;
  const lacking = named.filter((column) => !columns.includes(column));
  if (lacking.length === 0) return rows;
  const zeros = lacking.map((column) => `defaultValueOfTypeName(${quoted(typeOf(column))}) AS ${column}`);
  return `(SELECT *, ${zeros.join(', ')} FROM ${rows})`;
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
  const condition = holder === undefined ? '' : ` AND ${successorsOf(holder)} = 0`;
  // A server with replicas asks for the word that a condition may look things up.
  await runStatement(client, `DELETE FROM ${table} WHERE (${where})${condition}`, {
    allow_nondeterministic_mutations: 1,
  });
}

/** True when the server refused a statement because it came too long after the lease was looked at. */
function isTooLate(error: unknown): boolean {
  return error instanceof Error && error.message.includes(REFUSAL);
}
