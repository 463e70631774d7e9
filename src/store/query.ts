import type { ClickHouseSettings } from '@clickhouse/client';
import { type Static, type TObject, Type } from 'typebox';
import { Value } from 'typebox/value';
import { readRows, type StoreClient } from './clickhouse/client.ts';
import { readSqlFile } from './clickhouse/sql-file.ts';
import type { RowOf, TableLayout } from './clickhouse/table-layout.ts';

/** Bounds of a query, unless it says otherwise. Nobody waits longer: a route gives up, and its query ends with it. */
const MAX_SECONDS = 5;
/** For what is read on behalf of many, and waited for in the background. */
export const SHARED_READ_SECONDS = 10;
/** What the server gets to say itself that the time is up, before we hang up on it. */
const GRACE_MS = 1_000;
const MAX_ROWS = 10_000;

interface QueryBase<P extends TObject> {
  /** A .sql file beside the caller, as `new URL('./holders-top.sql', import.meta.url)`. Its name tags the query in the server's log. */
  readonly sql: URL;
  /** Values of the text's `{name:Type}`. Addresses are base58, '' for none: `toFixedString(base58Decode({mint:String}), 32)`. */
  readonly params: P;
  /** More rows than this are an error, not a cut: a query names its own LIMIT. */
  readonly maxRows?: number;
  readonly maxSeconds?: number;
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
  const { text, settings, hangUp } = readDefinition(definition);
  const rowList = Type.Array(definition.row);
  return async (client, params) => {
    if (CHECKS) Value.Assert(definition.params, params);
    const answer = await client.query({
      query: text,
      format: 'JSONEachRow',
      query_params: params,
      clickhouse_settings: settings,
      abort_signal: hangUp(),
    });
    const rows: unknown = await answer.json();
    if (CHECKS) Value.Assert(rowList, rows);
    return rows as Static<R>[];
  };
}

/**
 * A question answered in rows of a table, or of a part of its columns: the
 * SELECT lists exactly the layout's columns, in its order. Exact integers,
 * addresses and bytes, without JSON in between.
 */
export function defineRowQuery<P extends TObject, const T extends TableLayout>(
  definition: QueryBase<P> & { readonly layout: T },
): Query<P, RowOf<T>> {
  const { text, settings, hangUp } = readDefinition(definition);
  return (client, params) => {
    if (CHECKS) Value.Assert(definition.params, params);
    return readRows(client, definition.layout, text, params, { settings, signal: hangUp() });
  };
}

/** Only sources are checked: tests and development run from them, the product from a build. */
const CHECKS = import.meta.url.endsWith('.ts');

function readDefinition({ sql, maxRows = MAX_ROWS, maxSeconds = MAX_SECONDS }: QueryBase<TObject>) {
  const settings: ClickHouseSettings = {
    log_comment: sql.pathname.slice(sql.pathname.lastIndexOf('/') + 1).replace(/\.sql$/, ''),
    max_execution_time: maxSeconds,
    max_result_rows: String(maxRows),
    result_overflow_mode: 'throw',
    // Held back until it is whole: nothing has come when we hang up.
    wait_end_of_query: 1,
    // The server stops working on what we have hung up on, of queries that may change nothing but
    // settings: abandoned ones do not pile up there.
    readonly: '2',
    cancel_http_readonly_queries_on_client_close: 1,
  };
  const hangUp = () => AbortSignal.timeout(maxSeconds * 1_000 + GRACE_MS);
  return { text: readSqlFile(sql).trim().replace(/;$/, ''), settings, hangUp };
}
