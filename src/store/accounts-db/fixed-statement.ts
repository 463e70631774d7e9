import { CompiledQuery, type QueryResult, type Transaction } from 'kysely';
import type { Engine } from './engine.ts';
import type { AccountsSchema } from './schema.ts';

type Value = number | string | null;

/** Writes the placeholder of a value, counted from 1. */
type Place = (number: number) => string;

/** Rows of the longest text: half a thousand rows are two of these, and a few shorter ones. */
const MAX_ROWS = 256;

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
        // Copied as a whole: taking thousands of values out one by one takes as long as writing them.
        const parameters = ofAll.concat(rows.slice(from, from + count * columns));
        await accounts.executeQuery({ ...compiled(engine, count), parameters });
        from += count * columns;
      }
    },
  };
}

/** A question about any number of ids, in one text: the list of them is one value. */
export interface IdsQuestion<R> {
  /** Reads the rows of ids, however many, each once. */
  rows(
    accounts: Transaction<AccountsSchema>,
    engine: Engine,
    shared: readonly Value[],
    ids: readonly number[],
  ): Promise<R[]>;
}

/** What stands behind a column that is to be one of the ids. */
type IsOneOf = string;

export interface IdsQuestionOptions<R> {
  /** Values besides the ids. */
  readonly shared: number;
  /** Columns that the text selects. */
  readonly columns: readonly (keyof R & string)[];
  readonly text: (isOneOf: IsOneOf, shared: readonly string[], engine: Engine) => string;
}

export function idsQuestion<R>({ shared, columns, text }: IdsQuestionOptions<R>): IdsQuestion<R> {
  const compiled = memoized((_rows, place, engine) => {
    const rows = text(oneOf(engine, place(1 + shared), 'bigint'), places(place, 1, shared), engine);
    return engine === 'sqlite'
      ? `SELECT json_group_array(json_array(${columns.join(', ')})) AS found FROM (${rows})`
      : rows;
  });
  return {
    async rows(accounts, engine, ofAll, ids) {
      // Rows that a question locks are locked in one order, whoever asks.
      const ascending = [...new Set(ids)].sort((a, b) => a - b);
      const parameters = [...ofAll, listOf(engine, ascending)];
      const { rows } = await accounts.executeQuery<R>({ ...compiled(engine, 1), parameters });
      return engine === 'sqlite' ? unpacked(columns, rows[0] as { readonly found: string }) : rows;
    },
  };
}

/**
 * Rows out of one text. SQLite hands rows over value by value, which takes several times as long as writing all of
 * them in one text and reading that.
 */
function unpacked<R>(columns: readonly string[], { found }: { readonly found: string }): R[] {
  return (JSON.parse(found) as Value[][]).map((values) => {
    const row: Record<string, Value> = {};
    for (let index = 0; index < columns.length; index += 1) row[columns[index]!] = values[index]!;
    return row as R;
  });
}

/** A statement about any number of ids, in one text. */
export interface IdsStatement {
  run(accounts: Transaction<AccountsSchema>, engine: Engine, ids: readonly string[]): Promise<void>;
}

export function idsStatement(text: (isOneOf: IsOneOf) => string): IdsStatement {
  const compiled = memoized((_rows, place, engine) => text(oneOf(engine, place(1), 'text')));
  return {
    async run(accounts, engine, ids) {
      if (ids.length > 0) await accounts.executeQuery({ ...compiled(engine, 1), parameters: [listOf(engine, ids)] });
    },
  };
}

function oneOf(engine: Engine, place: string, type: 'bigint' | 'text'): IsOneOf {
  return engine === 'sqlite' ? `IN (SELECT value FROM json_each(${place}))` : `= ANY(CAST(${place} AS ${type}[]))`;
}

/** A list as one value: the driver of Postgres writes arrays itself. */
function listOf(engine: Engine, ids: readonly (number | string)[]): unknown {
  return engine === 'sqlite' ? JSON.stringify(ids) : ids;
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
