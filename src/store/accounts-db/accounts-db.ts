import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import Database from 'libsql';
import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { Engine } from './engine.ts';
import { migrateAccounts } from './migrations.ts';
import type { AccountsSchema } from './schema.ts';

/** The accounts, wherever they are kept: the same tables and the same statements in both engines. */
export interface AccountsDatabase {
  readonly db: Kysely<AccountsSchema>;
  readonly engine: Engine;
  close(): Promise<void>;
}

export interface AccountsOptions {
  /** A `file:` or `postgres:` URL; undefined uses `path`. */
  readonly url: string | undefined;
  readonly path: string;
  readonly clock: Clock;
}

/** The command line may write while the service runs: wait for its lock this long. */
const BUSY_TIMEOUT_MS = 2_000;
const POSTGRES_CONNECTIONS = 8;
/** Of one statement, so that no request waits for ever behind a lock. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** Of a process that stands still in the middle of a transaction: others wait for its locks, and for the changes it has written down. */
const IDLE_TRANSACTION_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Postgres's 64-bit integers arrive as text; ours are times and credits, which a number holds exactly. */
const INT8_TYPE = 20;

/** Opens the accounts database, made and migrated when it is not there. */
export async function openAccountsDatabase({ url, path, clock }: AccountsOptions): Promise<AccountsDatabase> {
  const isPostgres = url !== undefined && /^postgres(ql)?:/.test(url);
  const opened = isPostgres ? openPostgres(url) : await openSqlite(url === undefined ? path : fileURLToPath(url));
  try {
    await migrateAccounts(opened.db, opened.engine, clock);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

async function openSqlite(file: string): Promise<AccountsDatabase> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const database = new Database(file);
  // First of all: the rest may meet somebody who opens it at the same time.
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.pragma('journal_mode = WAL');
  // A killed process loses nothing of what it committed; a power cut may lose the last moments, and corrupts nothing.
  database.pragma('synchronous = NORMAL');
  const db = new Kysely<AccountsSchema>({ dialect: new SqliteDialect({ database }) });
  return { db, engine: 'sqlite', close: () => db.destroy() };
}

function openPostgres(url: string): AccountsDatabase {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_TYPE, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: POSTGRES_CONNECTIONS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types,
  });
  // A server that goes away is told to whoever asks next; heard by nobody, it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<AccountsSchema>({ dialect: new PostgresDialect({ pool }) });
  return { db, engine: 'postgres', close: () => db.destroy() };
}
