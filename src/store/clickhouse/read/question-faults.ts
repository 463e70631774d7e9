/**
 * Errors of ClickHouse that say that a question, or rows, can never be taken: asking again does not help. All its other
 * errors are about itself, the way to it, or our rights there, and pass.
 */
export const QUESTION_FAULTS: ReadonlyMap<string, string> = new Map([
  ['6', 'CANNOT_PARSE_TEXT'],
  ['10', 'NOT_FOUND_COLUMN_IN_BLOCK'],
  ['16', 'NO_SUCH_COLUMN_IN_TABLE'],
  ['27', 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'],
  ['34', 'TOO_MANY_ARGUMENTS_FOR_FUNCTION'],
  ['35', 'TOO_FEW_ARGUMENTS_FOR_FUNCTION'],
  ['36', 'BAD_ARGUMENTS'],
  ['42', 'NUMBER_OF_ARGUMENTS_DOESNT_MATCH'],
  ['43', 'ILLEGAL_TYPE_OF_ARGUMENT'],
  ['44', 'ILLEGAL_COLUMN'],
  ['46', 'UNKNOWN_FUNCTION'],
  ['47', 'UNKNOWN_IDENTIFIER'],
  ['50', 'UNKNOWN_TYPE'],
  ['53', 'TYPE_MISMATCH'],
  ['62', 'SYNTAX_ERROR'],
  ['63', 'UNKNOWN_AGGREGATE_FUNCTION'],
  ['69', 'ARGUMENT_OUT_OF_BOUND'],
  ['70', 'CANNOT_CONVERT_TYPE'],
  ['72', 'CANNOT_PARSE_NUMBER'],
  ['73', 'UNKNOWN_FORMAT'],
  ['115', 'UNKNOWN_SETTING'],
  ['117', 'INCORRECT_DATA'],
  ['179', 'MULTIPLE_EXPRESSIONS_FOR_ALIAS'],
  ['184', 'ILLEGAL_AGGREGATION'],
  ['207', 'AMBIGUOUS_IDENTIFIER'],
  ['215', 'NOT_AN_AGGREGATE'],
  ['386', 'NO_COMMON_TYPE'],
  ['395', 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO'],
  ['396', 'TOO_MANY_ROWS_OR_BYTES'],
  ['456', 'UNKNOWN_QUERY_PARAMETER'],
  ['457', 'BAD_QUERY_PARAMETER'],
]);

/** The name and password are not, or not any more, those of a user. */
const LOGIN_FAULTS: ReadonlySet<string> = new Set(['192', '193', '194', '516']);

const NAMES: ReadonlySet<string> = new Set(QUESTION_FAULTS.values());

/** True when the server has understood a question so far that it will never answer it. */
export function isQuestionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, type } = error as { code?: unknown; type?: unknown };
  return QUESTION_FAULTS.has(String(code)) || NAMES.has(String(type));
}

/** CANNOT_READ_ALL_DATA: bytes that end inside of a row. Of a question it is the server's own trouble. */
const ROWS_CUT = '33';

/**
 * True when rows can never be taken, so that sending them again does not help. Missing rights and tables do not count:
 * they may come back.
 */
export function isRowsFault(error: unknown): boolean {
  return isQuestionFault(error) || (error instanceof Error && 'code' in error && String(error.code) === ROWS_CUT);
}

const NO_SPACE = '243';

/** True when the disk has less free than a statement may take: NOT_ENOUGH_SPACE, said before anything is written. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code) === NO_SPACE;
}

const TIMEOUT_EXCEEDED = '159';

/** True when the server gave a statement up because it took longer than it was allowed. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code) === TIMEOUT_EXCEEDED;
}

export function isLoginFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && LOGIN_FAULTS.has(String(error.code));
}

/** Errors that last until an administrator changes something: our rights, or the database itself. */
const RIGHTS_FAULTS: ReadonlySet<string> = new Set([
  '81', // UNKNOWN_DATABASE
  '164', // READONLY
  '195', // IP_ADDRESS_NOT_ALLOWED
  '291', // DATABASE_ACCESS_DENIED
  '392', // QUERY_IS_PROHIBITED
  '452', // SETTING_CONSTRAINT_VIOLATION
  '497', // ACCESS_DENIED
]);

export function isRightsFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && RIGHTS_FAULTS.has(String(error.code));
}

/** The system's words for a connection that cannot be had or was cut. */
const CONNECTION_FAULTS: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'EAI_AGAIN',
  'EMFILE',
  'ENFILE',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

export function isConnectionFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CONNECTION_FAULTS.has(String(error.code));
}
