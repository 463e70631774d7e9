import pg from 'pg';

export type AccountsErrorCode =
  /** It does not answer, was cut off in the middle, or somebody holds what is needed. Whether the statement was done is not known. */
  | 'accounts_unavailable'
  /** Something of which there may be one is there already. */
  | 'accounts_conflict'
  /** A statement that the database does not take: what it would leave behind is not allowed, or it is a fault of ours. */
  | 'accounts_refused'
  /** A newer version of the service has made it. */
  | 'accounts_newer'
  /** A copy could not be made, or not be put back. */
  | 'accounts_copy_failed'
  /** Secrets of the database are sealed, and there is no key. */
  | 'secrets_key_missing'
  /** The key at hand is not the one that they are sealed with. */
  | 'secrets_key_wrong'
  /** The file that should hold a key cannot be read or made, is open to others, or holds something else. */
  | 'secrets_key_unusable'
  /** A single secret was changed, moved to another row, or sealed with another key. */
  | 'secret_unreadable';

/**
 * A fault of the accounts database. The message is for the operator. It holds no value of a row and no password, and
 * there is no `cause` that could.
 */
export class AccountsError extends Error {
  override readonly name = 'AccountsError';
  readonly code: AccountsErrorCode;

  constructor(code: AccountsErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A statement that breaks a unique constraint. */
const UNIQUE_VIOLATION = '23505';
/** Postgres's class of values that are wrong. Its words repeat the value. */
const WRONG_VALUE = '22';
/** Postgres's classes of faults that are nobody's: connection, transaction rolled back, resources, operator, system. */
const PASSING_CLASSES: ReadonlySet<string> = new Set(['08', '40', '53', '57', '58']);
/** A transaction that waited too long, a lock that was not to be had, a server that only reads. */
const PASSING_STATES: ReadonlySet<string> = new Set(['25P02', '25P03', '25006', '55P03', '28000', '28P01', '3D000']);

const PASSING_SQLITE = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|NOMEM|PROTOCOL)/;
const SQLITE_CONFLICT = /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/;

/**
 * Turns an error of pg into one of ours, without the values that pg would show beside it. Errors of ours keep their
 * type.
 */
export function fromPostgres(error: unknown): unknown {
  if (error instanceof AccountsError || error instanceof TypeError) return error;
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return unavailable(error);
  const { code: state, message } = error;
  if (state === UNIQUE_VIOLATION) return new AccountsError('accounts_conflict', message);
  if (PASSING_CLASSES.has(state.slice(0, 2)) || PASSING_STATES.has(state)) return unavailable(error);
  const what = state.startsWith(WRONG_VALUE) ? 'a value is not one of its type' : message;
  return new AccountsError('accounts_refused', `${what} (${state})`);
}

/** True when a connection is of no further use after this error. */
export function breaksConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  // A standby that was a primary takes no writes any more: another connection may find the new one.
  return error.severity === 'FATAL' || error.severity === 'PANIC' || error.code === '25006';
}

/** Turns an error of libsql into one of ours. Its messages never show values. */
export function fromSqlite(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (PASSING_SQLITE.test(code)) return unavailable(error);
  if (SQLITE_CONFLICT.test(code)) return new AccountsError('accounts_conflict', error.message);
  return code.startsWith('SQLITE_') ? new AccountsError('accounts_refused', `${error.message} (${code})`) : error;
}

/** Of a transaction that was to be committed after one of its statements had failed. */
export function notCommitted(): AccountsError {
  return new AccountsError('accounts_refused', 'a transaction in which a statement had failed was not committed');
}

function unavailable(error: unknown): AccountsError {
  return new AccountsError('accounts_unavailable', `the accounts database does not answer: ${reasonOf(error)}`);
}

/** A connection that is tried at several addresses fails with several errors and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
