import { setImmediate } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteDialect,
  type TransactionSettings,
} from 'kysely';
import type Database from 'libsql';
import { createBoundedMap } from '../../kernel/bounded-map.ts';
import { systemClock } from '../../kernel/clock.ts';
import { AccountsError, fromSqlite, notCommitted } from './accounts-error.ts';

/** The command line may write while the service runs: somebody's whole transaction. Other processes wait in real time, whatever our clock. */
const MAX_BUSY_MS = 5_000;
/** Between two tries to get the lock: transactions take less than a millisecond. */
const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 20;
/** Statements between two turns of other work: a few milliseconds, and about a megabyte of what they leave behind. */
const STATEMENTS_A_TURN = 64;
/**
 * Texts that are kept prepared: preparing one takes longer than running it. Those of fixed shape come again and again,
 * some hundred with their lengths; one that is made anew each time pushes out the one that was used longest ago.
 */
const MAX_PREPARED = 256;

interface Prepared {
  readonly statement: Database.Statement;
  /** True when it gives rows. */
  readonly isReader: boolean;
}

/** SQLite for a file that other processes have open as well. */
export class SharedFileDialect extends SqliteDialect {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new SharedFileDriver(this.#database);
  }
}

/** One connection, which whoever needs it gets in turn. */
class SharedFileDriver implements Driver {
  readonly #database: Database.Database;
  readonly #connection: SharedFileConnection;
  #turn: Promise<void> = Promise.resolve();
  #endTurn: () => void = () => undefined;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#connection = new SharedFileConnection(database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const asked = systemClock.elapsed();
    const before = this.#turn;
    let end = this.#endTurn;
    this.#turn = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    this.#endTurn = end;
    this.#connection.askedAt = asked;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#endTurn();
  }

  async beginTransaction(_connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await this.#connection.begin(settings.accessMode === 'read only' ? 'BEGIN' : 'BEGIN IMMEDIATE');
  }

  async commitTransaction(): Promise<void> {
    this.#connection.end('COMMIT');
  }

  async rollbackTransaction(): Promise<void> {
    this.#connection.end('ROLLBACK');
  }

  async destroy(): Promise<void> {
    // Behind whoever waits for a turn: a statement after the close would end the process, not fail.
    this.#connection.refuseWriters();
    await this.acquireConnection();
    this.#leaveNoJournal();
    this.#database.close();
  }

  /** The last one to close a file leaves it whole by itself. SQLite would, if libsql let go of its statements in time. */
  #leaveNoJournal(): void {
    try {
      this.#database.pragma('journal_mode = DELETE');
    } catch (error) {
      if (!isBusy(error)) throw fromSqlite(error);
    }
  }
}

/**
 * Waits for other processes without standing still. Whoever writes takes the lock
 * first: a transaction that reads and then writes after another process has
 * written is refused however long it waits, and a statement of libsql's that met
 * a lock stays begun and lets nothing be committed; only `exec` cleans up.
 */
class SharedFileConnection implements DatabaseConnection {
  readonly #database: Database.Database;
  /**
   * Time at which its user came: a lock that is not to be had keeps nobody waiting for the waits of those before as
   * well.
   */
  askedAt = 0;
  readonly #prepared = createBoundedMap<string, Prepared>(MAX_PREPARED);
  #hasFailed = false;
  #sinceTurn = 0;
  #isClosing = false;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Nobody waits for a lock any more, so that the close waits for what runs and for nothing else. */
  refuseWriters(): void {
    this.#isClosing = true;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.#letOthers();
    if (this.#database.inTransaction || SelectQueryNode.is(query.query)) return this.#run(query);
    await this.begin('BEGIN IMMEDIATE');
    try {
      const result = this.#run<R>(query);
      this.end('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.end('ROLLBACK');
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: rows are read in pages, on both engines.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new AccountsError('accounts_refused', 'rows are read in pages');
  }

  async begin(how: 'BEGIN' | 'BEGIN IMMEDIATE'): Promise<void> {
    const deadline = this.askedAt + MAX_BUSY_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
      if (this.#isClosing) throw new AccountsError('accounts_unavailable', 'the accounts database is being closed');
      try {
        this.#database.exec(how);
        this.#hasFailed = false;
        return;
      } catch (error) {
        if (!isBusy(error) || systemClock.elapsed() > deadline) throw fromSqlite(error);
      }
      await systemClock.sleep(pause);
    }
  }

  /** A transaction in which a statement has failed is never committed, whoever swallowed the error: Postgres would not do it either. */
  end(how: 'COMMIT' | 'ROLLBACK'): void {
    try {
      if (how === 'COMMIT' && !this.#hasFailed) this.#database.exec(how);
      // A full disk ends it before us.
      else if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    } catch (error) {
      throw fromSqlite(error);
    }
    if (how === 'COMMIT' && this.#hasFailed) throw notCommitted();
  }

  /**
   * Nothing here waits for anything, so those who ask one thing after the other would
   * let nobody else have the thread; and libsql frees statements only between two turns.
   */
  async #letOthers(): Promise<void> {
    this.#sinceTurn += 1;
    if (this.#sinceTurn < STATEMENTS_A_TURN) return;
    this.#sinceTurn = 0;
    await setImmediate();
  }

  #run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    try {
      const { statement, isReader } = this.#prepare(sql);
      if (isReader) return { rows: withBuffers(statement.all(parameters) as Record<string, unknown>[]) as R[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      // One that failed may have stayed begun: it is not used again.
      this.#prepared.delete(sql);
      this.#hasFailed = true;
      throw fromSqlite(error);
    }
  }

  /** The statement of a text. What the tables' columns are may change meanwhile: SQLite prepares it anew by itself. */
  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, isReader: statement.reader };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/** libsql hands bytes out as an ArrayBuffer, pg as a Buffer. */
function withBuffers(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  for (const row of rows) {
    for (const name in row) if (row[name] instanceof ArrayBuffer) row[name] = Buffer.from(row[name]);
  }
  return rows;
}
