import type { ClickHouseSettings } from '@clickhouse/client';
import { type Static, type TObject, Type } from 'typebox';
import { Value } from 'typebox/value';
import { columnList, readAnswer, type StoreClient, streamRows } from './clickhouse/client.ts';
import { type Answer, answerJson, answerRows } from './clickhouse/read/answer.ts';
import type { RowOf, TableLayout } from './clickhouse/schema/table-layout.ts';
import { readSqlFile } from './clickhouse/sql-file.ts';
import { runRead } from './reads/gated-client.ts';

/** Bounds of a query, unless it says otherwise. Nobody waits longer: a route gives up, and its query ends with it. */
const MAX_SECONDS = 5;
/** Seconds of a read on behalf of many, which is waited for in the background. */
export const SHARED_READ_SECONDS = 10;
const MAX_ROWS = 10_000;
/** Seconds of an answer that comes in pieces, to its last one. */
const STREAM_SECONDS = 120;
/** Reads of requests have none, which goes before all. */
const BEHIND_OTHERS = '5';

interface QueryBase<P extends TObject> {
  /** A .sql file beside the caller, as `new URL('./holders-top.sql', import.meta.url)`. Its name tags the query in the server's log. */
  readonly sql: URL;
  /** Values of the text's `{name:Type}`. Addresses are base58, '' for none: `toFixedString(base58Decode({mint:String}), 32)`. */
  readonly params: P;
  /** More rows than this are an error, not a cut: a query names its own LIMIT. */
  readonly maxRows?: number;
  readonly maxSeconds?: number;
  /** Condition that `$kept` of a text that several tables share stands for: rows that do not meet it are none. */
  readonly kept?: string | undefined;
}

export type Query<P extends TObject, R> = (client: StoreClient, params: Static<P>) => Promise<R[]>;

/**
 * A question asked in JSON, for answers of a few rows. 64-bit integers come as
 * strings. In tests and in development parameters and rows are checked against
 * their schemas; a build trusts them.
 */
export function defineQuery<P extends TObject, R extends TObject>(
  definition: QueryBase<P> & { readonly row: R },
): Query<P, Static<R>> {
  const ask = readDefinition(definition, 'JSONEachRow');
  const rowList = Type.Array(definition.row);
  return async (client, params) => {
    if (CHECKS) Value.Assert(definition.params, params);
    const rows: unknown = answerJson(await ask(client, params));
    if (CHECKS) Value.Assert(rowList, rows);
    return rows as Static<R>[];
  };
}

/**
 * A question answered in rows of a table, or of a part of its columns: the
 * SELECT lists exactly the layout's columns, in its order. `$columns` stands
 * for them, `$table` for its name. Exact integers, addresses and bytes, without
 * JSON in between.
 */
export function defineRowQuery<P extends TObject, const T extends TableLayout>(
  definition: QueryBase<P> & { readonly layout: T },
): Query<P, RowOf<T>> {
  const ask = readDefinition(definition, 'RowBinary', definition.layout);
  return async (client, params) => {
    if (CHECKS) Value.Assert(definition.params, params);
    return answerRows(definition.layout, await ask(client, params));
  };
}

/**
 * The same in pieces as they come, for answers as large as the market, which the service reads for itself. No gate
 * stands before it, and the store is hung up on when the signal aborts. Rejects behind the last piece when rows are
 * missing: nothing may be kept before.
 */
export function defineRowStream<P extends TObject, const T extends TableLayout>({
  sql,
  params: schema,
  layout,
}: Pick<QueryBase<P>, 'sql' | 'params'> & { readonly layout: T }): (
  client: StoreClient,
  params: Static<P>,
  signal: AbortSignal,
) => AsyncGenerator<RowOf<T>[]> {
  const text = textOf(sql).replace('$columns', columnList(layout));
  const settings = { ...questionSettings(sql), priority: BEHIND_OTHERS, max_execution_time: STREAM_SECONDS };
  return (client, params, signal) => {
    if (CHECKS) Value.Assert(schema, params);
    return streamRows(client, layout, text, { params: params as Readonly<Record<string, unknown>>, settings, signal });
  };
}

/** Only sources are checked: tests and development run from them, the product from a build. */
const CHECKS = import.meta.url.endsWith('.ts');

function readDefinition(
  { sql, maxRows = MAX_ROWS, maxSeconds = MAX_SECONDS, kept = 'true' }: QueryBase<TObject>,
  format: string,
  layout?: TableLayout,
) {
  const settings: ClickHouseSettings = {
    ...questionSettings(sql),
    max_execution_time: maxSeconds,
    max_result_rows: String(maxRows),
    result_overflow_mode: 'throw',
    // A question reads a little of many files: handing each read to another thread costs more than the read.
    local_filesystem_read_method: 'pread',
  };
  const select = textOf(sql).replace('$kept', kept);
  const named =
    layout === undefined ? select : select.replace('$columns', columnList(layout)).replace('$table', layout.name);
  const text = `${named}\nFORMAT ${format}`;
  return (client: StoreClient, params: Readonly<Record<string, unknown>>): Promise<Answer> =>
    runRead(client, maxSeconds, (bounds) =>
      readAnswer(client, text, params, { signal: bounds.signal, settings: { ...settings, ...bounds.settings } }),
    );
}

function textOf(sql: URL): string {
  return readSqlFile(sql).trim().replace(/;$/, '');
}

function questionSettings(sql: URL): ClickHouseSettings {
  return {
    log_comment: sql.pathname.slice(sql.pathname.lastIndexOf('/') + 1).replace(/\.sql$/, ''),
    // The server stops working on what we have hung up on, of queries that may change nothing but
    // settings: abandoned ones do not pile up there.
    readonly: '2',
    cancel_http_readonly_queries_on_client_close: 1,
  };
}
