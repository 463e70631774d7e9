import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteDialect,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely';
import Database from 'libsql';
import type { Clock } from '../../kernel/clock.ts';
import { AccountsError, fromSqlite } from './accounts-error.ts';
import type { AccountsSchema } from './schema.ts';

/** The process stands still while SQLite waits for a lock, so it waits this long only and asks again. */
const BUSY_TIMEOUT_MS = 20;
const BUSY_PAUSE_MS = 10;
/** The command line may write while the service runs: somebody's whole transaction. */
const MAX_BUSY_MS = 5_000;
/** While nothing runs yet, standing still harms nobody. */
const OPENING_TIMEOUT_MS = 5_000;
const PRIVATE_FILE = 0o600;

/** Opens a SQLite file, made when it is not there, for its owner only. One connection: statements take turns. */
export async function openSqlite(file: string, clock: Clock): Promise<Kysely<AccountsSchema>> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await (await open(file, 'a', PRIVATE_FILE)).close();
  try {
    const database = new Database(file);
    // First of all: the rest may meet somebody who opens it at the same time.
    database.pragma(`busy_timeout = ${OPENING_TIMEOUT_MS}`);
    database.pragma('journal_mode = WAL');
    // A killed process loses nothing of what it committed; a power cut may lose the last moments, and corrupts nothing.
    database.pragma('synchronous = NORMAL');
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return new Kysely<AccountsSchema>({ dialect: new PatientSqlite(database, clock) });
  } catch (error) {
    throw fromSqlite(error);
  }
}

class PatientSqlite extends SqliteDialect {
  readonly #database: Database.Database;
  readonly #clock: Clock;

  constructor(database: Database.Database, clock: Clock) {
    super({ database });
    this.#database = database;
    this.#clock = clock;
  }

  override createDriver(): Driver {
    return new PatientDriver(this.#database, this.#clock);
  }
}

/** Kysely's driver, which waits for other processes without standing still. */
class PatientDriver extends SqliteDriver {
  readonly #clock: Clock;

  constructor(database: Database.Database, clock: Clock) {
    super({ database });
    this.#clock = clock;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return patient(await super.acquireConnection(), this.#clock);
  }

  /**
   * Takes the lock for writing at once: a transaction that reads first and writes
   * after another process has written would be refused, however long it waits.
   */
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const onlyReads = settings?.accessMode === 'read only';
    await connection.executeQuery(CompiledQuery.raw(onlyReads ? 'begin' : 'begin immediate'));
  }
}

function patient(connection: DatabaseConnection, clock: Clock): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const deadline = clock.elapsed() + MAX_BUSY_MS;
      for (;;) {
        try {
          return withBuffers(await connection.executeQuery<R>(query));
        } catch (error) {
          if (!isBusy(error) || clock.elapsed() > deadline) throw fromSqlite(error);
          await clock.sleep(BUSY_PAUSE_MS);
        }
      }
    },
    streamQuery() {
      throw new AccountsError('accounts_refused', 'rows are read in pages, on both engines');
    },
  };
}

/** The statement has changed nothing and may be said again. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

/** libsql hands bytes out as an ArrayBuffer, pg as a Buffer. */
function withBuffers<R>(result: QueryResult<R>): QueryResult<R> {
  for (const row of result.rows as Record<string, unknown>[]) {
    for (const [name, value] of Object.entries(row)) {
      if (value instanceof ArrayBuffer) row[name] = Buffer.from(value);
    }
  }
  return result;
}
