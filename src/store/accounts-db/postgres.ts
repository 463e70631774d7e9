import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { Logger } from '../../kernel/log.ts';
import { AccountsError, breaksConnection, fromPostgres, notCommitted } from './accounts-error.ts';
import type { AccountsSchema } from './schema.ts';

/** Milliseconds that a server may take. `statement_timeout` and `lock_timeout` of the URL count instead. */
export interface PostgresPatience {
  /** For one statement. */
  readonly statementMs: number;
  /** Of it, for a lock that somebody holds. */
  readonly lockMs: number;
}

/** No request waits for ever behind a lock, or for a server that says nothing. */
export const SERVING: PostgresPatience = { statementMs: 5_000, lockMs: 2_000 };
/** Another process that starts may be in the middle of the same migration. */
export const MIGRATING: PostgresPatience = { statementMs: 600_000, lockMs: 300_000 };

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5_000;
/** Of a process that stands still in the middle of a transaction: others wait for its locks, and for the changes it has written down. */
const IDLE_TRANSACTION_TIMEOUT_MS = 20_000;
/** The server ends a statement that takes too long. If it says nothing at all, the connection is given up so much later. */
const SILENCE_MS = 1_000;
/** Sums and counts are wide. Ours are times and credits, which a number holds exactly. */
const WIDE_TYPES = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];

/** A pool of connections to a Postgres; TLS as the `sslmode` of the URL says. Nothing is connected yet. */
export function openPostgres(url: string, patience: PostgresPatience, log: Logger): Kysely<AccountsSchema> {
  const types = new pg.TypeOverrides();
  for (const type of WIDE_TYPES) types.setTypeParser(type, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    application_name: 'mintscope',
    statement_timeout: patience.statementMs,
    lock_timeout: patience.lockMs,
    query_timeout: patience.statementMs + SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types,
  });
  const lost = (error: Error) => log.warn({ err: error.message }, 'a connection to the accounts database was lost');
  // Of a connection that nobody uses at the moment. Heard by nobody, it would end the process.
  pool.on('error', lost);
  // The same while somebody has it between two statements; the next statement tells them.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<AccountsSchema>({ dialect: new PostgresDialect({ pool: guarded(pool) }) });
}

function guarded(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      try {
        return new GuardedClient(await pool.connect());
      } catch (error) {
        throw fromPostgres(error);
      }
    },
    end: () => pool.end(),
  };
}

/** A connection as one user has it. One that is broken, or may still be busy, is never used by the next. */
class GuardedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  #isBroken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query(): never;
  async query<R>(sql?: string, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    try {
      const result = await this.#client.query(sql ?? '', [...parameters]);
      // Postgres says so by the word alone.
      if (sql === 'commit' && result.command === 'ROLLBACK') throw notCommitted();
      return result as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (error instanceof AccountsError) throw error;
      this.#isBroken ||= breaksConnection(error);
      throw fromPostgres(error);
    }
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }
}
