import { CompiledQuery, type QueryResult, type Transaction } from 'kysely';
import type { Engine } from './engine.ts';
import type { AccountsSchema } from './schema.ts';

type Value = number | string | null;

/** Writes the placeholder of a value, counted from 1. */
type Place = (number: number) => string;

/** Rows of the longest text: half a thousand rows are two of these, and a few shorter ones. */
const MAX_ROWS = 256;
/** Ids of the longest text. SQLite knows 32,766 variables, those that are shared among them. */
const MAX_IDS = 4_096;

/**
 * A statement over any number of rows, in texts of 1, 2, 4 … 256 rows. There are so few of them that each is put
 * together once and that the driver keeps it prepared, where one text for every number of rows is made and prepared
 * anew each time.
 */
export interface RowsStatement {
  /**
   * Writes all rows, whose values stand one behind the other in `rows`; `shared` are the values that every row has.
   * Rows are written in their order.
   */
  run(
    accounts: Transaction<AccountsSchema>,
    engine: Engine,
    shared: readonly Value[],
    rows: readonly Value[],
  ): Promise<void>;
}

export interface RowsStatementOptions {
  /** Values that all rows share. */
  readonly shared: number;
  /** Values of each row. */
  readonly columns: number;
  /** Text of the statement around its rows, `shared` are their placeholders. */
  readonly text: (rows: string, shared: readonly string[]) => string;
  /** Text of one row out of the placeholders of its values. */
  readonly row: (columns: readonly string[], shared: readonly string[]) => string;
}

export function rowsStatement({ shared, columns, text, row }: RowsStatementOptions): RowsStatement {
  const compiled = memoized((rows, place) => {
    const ofAll = places(place, 1, shared);
    const ofRow = (index: number) => places(place, 1 + shared + index * columns, columns);
    return text(Array.from({ length: rows }, (_, index) => row(ofRow(index), ofAll)).join(', '), ofAll);
  });
  return {
    async run(accounts, engine, ofAll, rows) {
      for (let from = 0; from < rows.length; ) {
        const count = largestPower((rows.length - from) / columns);
        const parameters = [...ofAll, ...rows.slice(from, from + count * columns)];
        await accounts.executeQuery({ ...compiled(engine, count), parameters });
        from += count * columns;
      }
    },
  };
}

/** A question about any number of ids, in texts of few lengths as {@link RowsStatement} has them. */
export interface IdsQuestion<R> {
  /** Reads the rows of ids, however many: from the least on, and in several questions where one has no room for all. */
  rows(
    accounts: Transaction<AccountsSchema>,
    engine: Engine,
    shared: readonly Value[],
    ids: readonly number[],
  ): Promise<R[]>;
}

/** `text` is given the list of ids, to stand behind IN, and the placeholders of the shared values. */
export function idsQuestion<R>(
  shared: number,
  text: (ids: string, shared: readonly string[], engine: Engine) => string,
): IdsQuestion<R> {
  const compiled = memoized((ids, place, engine) =>
    text(`(${places(place, 1 + shared, ids).join(', ')})`, places(place, 1, shared), engine),
  );
  return {
    async rows(accounts, engine, ofAll, ids) {
      // Rows that a question locks are locked in one order, whoever asks and in however many questions.
      const ascending = [...new Set(ids)].sort((a, b) => a - b);
      const found: R[] = [];
      for (let from = 0; from < ascending.length; from += MAX_IDS) {
        const some = ascending.slice(from, from + MAX_IDS);
        const length = 2 ** Math.ceil(Math.log2(some.length));
        // The last id fills the list up: a row is found once, however often it is asked for.
        const parameters = [...ofAll, ...some, ...Array<number>(length - some.length).fill(some.at(-1) ?? 0)];
        const { rows } = await accounts.executeQuery<R>({ ...compiled(engine, length), parameters });
        for (const row of rows) found.push(row);
      }
      return found;
    },
  };
}

/** A statement of one text. */
export interface FixedStatement {
  run(accounts: Transaction<AccountsSchema>, engine: Engine, values: readonly Value[]): Promise<QueryResult<unknown>>;
}

export function fixedStatement(text: (place: Place) => string): FixedStatement {
  const compiled = memoized((_rows, place) => text(place));
  return {
    run: (accounts, engine, parameters) => accounts.executeQuery({ ...compiled(engine, 1), parameters }),
  };
}

/** Statements by engine and number of rows, each put together once. */
function memoized(
  make: (rows: number, place: Place, engine: Engine) => string,
): (engine: Engine, rows: number) => CompiledQuery {
  const known: Readonly<Record<Engine, Map<number, CompiledQuery>>> = { sqlite: new Map(), postgres: new Map() };
  return (engine, rows) => {
    const before = known[engine].get(rows);
    if (before !== undefined) return before;
    const compiled = CompiledQuery.raw(make(rows, PLACES[engine], engine));
    known[engine].set(rows, compiled);
    return compiled;
  };
}

/** SQLite knows `$2` too, but as a name: it would be the first value where it stands first. */
const PLACES: Readonly<Record<Engine, Place>> = {
  sqlite: (number) => `?${number}`,
  postgres: (number) => `$${number}`,
};

function places(place: Place, first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => place(first + index));
}

/** The largest power of two of at most so many rows, and of no more than {@link MAX_ROWS}. */
function largestPower(rows: number): number {
  let power = 1;
  while (power * 2 <= rows && power < MAX_ROWS) power *= 2;
  return power;
}
