import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { ReadFault } from '../reads/read-fault.ts';
import { type Answer, answerJson, answerRows, assertWhole, rowsPromised, WHOLE_ANSWER } from './read/answer.ts';
import { decodeFirstRows } from './schema/row-codec.ts';
import type { RowOf, TableLayout } from './schema/table-layout.ts';
import { StoreError } from './store-error.ts';

export type StoreClient = ClickHouseClient;

/** The way to a store. Plain data, so that a worker thread can be given it. */
export interface StoreConnection {
  /** Scheme, host and port alone. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** Sent with every request, for what stands in front of the server. Secrets, like the password. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the authority behind the server's certificate, where it is none of the public ones. */
  readonly authority?: string;
}

export const DEFAULT_DATABASE = 'mintscope';

/** Sockets to the server: page reads share them with one insert per table of a flush. */
const MAX_CONNECTIONS = 16;
/** Longer than any single insert or query may take. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Four times what the server allows by itself. */
const MAX_QUERY_BYTES = '1048576';
/** Below the server's keep-alive, so that no socket is used just as it is closed. */
const IDLE_SOCKET_MS = 20_000;

/** Prefix of a header's name in the official client's own URLs. */
const HEADER_PARAMETER = 'http_header_';

/** Takes `http://user:password@host:8123/database?http_header_X-Name=value` apart. */
export function readConnection(clickhouseUrl: string): StoreConnection {
  const { protocol, host, username, password, pathname, searchParams } = new URL(clickhouseUrl);
  const headers = [...searchParams]
    .filter(([name]) => name.startsWith(HEADER_PARAMETER))
    .map(([name, value]) => [name.slice(HEADER_PARAMETER.length), value] as const);
  return {
    url: `${protocol}//${host}`,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || DEFAULT_DATABASE,
    headers: Object.fromEntries(headers),
  };
}

/** The URL that {@link readConnection} takes apart. Holds the password. */
export function connectionUrl({ url, username, password, database, headers }: StoreConnection): string {
  const full = Object.assign(new URL(`/${database}`, url), { username, password });
  for (const [name, value] of Object.entries(headers)) full.searchParams.set(HEADER_PARAMETER + name, value);
  return full.href;
}

/** `requestTimeoutMs` for statements that go through whole tables. */
export function createStoreClient(
  { headers, authority, ...connection }: StoreConnection,
  { requestTimeoutMs = REQUEST_TIMEOUT_MS }: { readonly requestTimeoutMs?: number } = {},
): StoreClient {
  return createClient({
    ...connection,
    ...(authority === undefined ? {} : { tls: { ca_cert: Buffer.from(authority) } }),
    http_headers: headers,
    application: 'mintscope',
    max_open_connections: MAX_CONNECTIONS,
    request_timeout: requestTimeoutMs,
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS },
    // Nearly always on loopback, where squeezing costs more than sending.
    compression: { request: false, response: false },
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 1,
      // Lists of slots and of keys stand in the text; a clause of the text itself comes too late to allow them.
      max_query_size: MAX_QUERY_BYTES,
    },
    // It writes to the console. What it would say comes to us as errors.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/** Runs a statement that answers nothing. */
export async function runStatement(
  client: StoreClient,
  query: string,
  settings: ClickHouseSettings = {},
): Promise<void> {
  await client.command({ query, clickhouse_settings: { ...settings, wait_end_of_query: 1 } });
}

interface ReadOptions {
  readonly settings?: ClickHouseSettings;
  /** Hangs up on the server when it aborts before the answer begins, and rejects. */
  readonly signal?: AbortSignal;
  /** Milliseconds that an answer which has begun may take to come. */
  readonly answerMs?: number;
}

/** Milliseconds for an answer that the server has whole: longer than any that gets on. */
const ANSWER_MS = 15_000;
/** Characters shown of a text that came in the place of an answer, say a page. */
const SHOWN_CHARACTERS = 200;

/**
 * The answer of a query that names its FORMAT. Rejects with a ReadFault when it has begun and does not come to its end.
 * {@link answerRows} and {@link answerJson} check that all of its rows came.
 */
export async function readAnswer(
  client: StoreClient,
  query: string,
  params: Readonly<Record<string, unknown>>,
  { settings = {}, signal, answerMs = ANSWER_MS }: ReadOptions = {},
): Promise<Answer> {
  // The client looks for what happens from now on alone.
  signal?.throwIfAborted();
  const { stream, summary } = await ask(client, {
    query,
    query_params: { ...params },
    abort_signal: signal,
    clickhouse_settings: { ...settings, ...WHOLE_ANSWER },
  });
  // The work is done by now, and cutting an answer off half-way is what the embedded server bears worst.
  const timer = setTimeout(() => {
    stream.destroy(new ReadFault('timed_out', `the answer did not come to its end within ${answerMs} ms`));
  }, answerMs);
  try {
    const bytes = await readAll(stream);
    return { bytes, rows: rowsPromised(summary) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Rows of a query whose columns are those of `layout`, in its order, exact and
 * without JSON in between. The query has no FORMAT of its own.
 */
export async function readRows<const T extends TableLayout>(
  client: StoreClient,
  layout: T,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
  options: ReadOptions = {},
): Promise<RowOf<T>[]> {
  return answerRows(layout, await readAnswer(client, `${query}\nFORMAT RowBinary`, params, options));
}

/** Rows of a query without a FORMAT of its own, as objects by the names of its columns. 64-bit integers come as strings. */
export async function readJson<R>(
  client: StoreClient,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<R[]> {
  return answerJson(await readAnswer(client, `${query}\nFORMAT JSONEachRow`, params)) as R[];
}

/**
 * The same in pieces as they come, for answers of any size: the server keeps the
 * whole one on its disk until we have it. Rejects behind the last piece with a
 * ReadFault when rows are missing: nothing may be kept before.
 */
export async function* streamRows<const T extends TableLayout>(
  client: StoreClient,
  layout: T,
  query: string,
  { params = {}, settings = {}, signal }: StreamOptions = {},
): AsyncGenerator<RowOf<T>[]> {
  const { stream, summary } = await ask(client, {
    query: `${query}\nFORMAT RowBinary`,
    query_params: { ...params },
    abort_signal: signal,
    clickhouse_settings: { ...settings, ...WHOLE_ANSWER },
  });
  let rowsCome = 0;
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const { rows, length } = decodeFirstRows(layout, bytes);
    rowsCome += rows.length;
    if (rows.length > 0) yield rows;
    rest = bytes.subarray(length);
  }
  if (rest.length > 0) throw new ReadFault('incomplete', 'an answer ends inside of a row');
  assertWhole(rowsCome, rowsPromised(summary));
}

interface StreamOptions extends Pick<ReadOptions, 'settings' | 'signal'> {
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Columns of a layout, for a SELECT that {@link readRows} reads. */
export function columnList(layout: TableLayout): string {
  return Object.keys(layout.columns).join(', ');
}

/** Folding by the token alone, for a SELECT too: its bytes may come in any order. */
const DEDUPLICATED = { insert_deduplicate: 1, deduplicate_insert_select: 'force_enable' } as ClickHouseSettings;

export interface RowInsert {
  readonly table: string;
  readonly columns: readonly string[];
  readonly bytes: Uint8Array;
  /** The same token is never inserted twice into the same table. */
  readonly token: string | undefined;
  /** A SELECT over `input(…)` whose rows are inserted in place of these. */
  readonly select?: string | undefined;
  /** Longest that the server may take, seconds; as long as it likes when left out. */
  readonly maxSeconds?: number | undefined;
}

/** Inserts RowBinary bytes, or what a SELECT makes of them, as one part. Resolves when the table has it. */
export async function insertRows(client: StoreClient, insert: RowInsert): Promise<void> {
  const { table, columns, select, token, maxSeconds = 0 } = insert;
  const target = select === undefined ? `${table} (${columns.join(', ')})` : `${table} ${select}`;
  const { stream } = await client.exec({
    query: `INSERT INTO ${target}\nFORMAT RowBinary`,
    values: Readable.from([insert.bytes], { objectMode: false }),
    clickhouse_settings: {
      async_insert: 0,
      wait_end_of_query: 1,
      // One thread makes one part of it, whatever its order.
      max_threads: 1,
      max_insert_threads: '1',
      // Ingest goes first: reads of accounts that ask for much pause while it inserts.
      priority: '1',
      ...(token === undefined ? { insert_deduplicate: 0 } : DEDUPLICATED),
      insert_deduplication_token: token ?? '',
      max_execution_time: maxSeconds,
    },
  });
  stream.resume();
  await new Promise<void>((resolve, reject) => {
    stream.once('end', resolve).once('error', reject);
  });
}

interface Question {
  readonly query: string;
  readonly query_params?: Record<string, unknown>;
  readonly abort_signal?: AbortSignal | undefined;
  readonly clickhouse_settings: ClickHouseSettings;
}

/** The server's errors have codes, and those of the system; an error without one is of whatever stands between. */
async function ask(client: StoreClient, { abort_signal, ...question }: Question) {
  try {
    return await client.exec({ ...question, ...(abort_signal === undefined ? {} : { abort_signal }) });
  } catch (error) {
    if (!(error instanceof Error) || 'code' in error || abort_signal?.aborted === true) throw error;
    const said = error.message.slice(0, SHOWN_CHARACTERS);
    throw new ReadFault('unreachable', `the store did not answer: ${said}`, undefined, { cause: error });
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new StoreError('rows_refused', 'a reply that is no bytes');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
