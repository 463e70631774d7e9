import { ClickHouseError } from '@clickhouse/client';
import { ApiError, type ErrorCode } from '../contract/errors.ts';
import { AccountsError } from '../store/accounts-db/accounts-error.ts';
import { isConnectionFault, isQuestionFault } from '../store/clickhouse/read/question-faults.ts';
import { StoreError } from '../store/clickhouse/store-error.ts';
import { ReadFault, type ReadFaultCode } from '../store/reads/read-fault.ts';

/** The store's limits on one read, by the names it gives its errors: asking for less helps. */
const READ_LIMITS = new Set([
  'TIMEOUT_EXCEEDED',
  'TOO_SLOW',
  'QUERY_WAS_CANCELLED',
  'QUERY_WAS_CANCELLED_BY_CLIENT',
  'MEMORY_LIMIT_EXCEEDED',
]);
/** The same error for one read, for all of a user and for the server: only its text tells which. */
const MEMORY_OF_ONE_READ = /memory limit \(for query\)|query memory limit/i;

const READ_FAULTS: Readonly<Record<ReadFaultCode, ErrorCode>> = {
  over_share: 'rate_limited',
  too_busy: 'storage_unavailable',
  timed_out: 'query_timeout',
  incomplete: 'storage_unavailable',
  unreachable: 'storage_unavailable',
  abandoned: 'query_timeout',
};

/** The error that a failed read of the store means to a client; undefined when it is a fault of ours. */
export function storeFault(error: Error): ApiError | undefined {
  if (error instanceof ReadFault) return readFault(error);
  const code = storeErrorCode(error);
  return code === undefined ? undefined : new ApiError(code, { cause: error });
}

function readFault(fault: ReadFault): ApiError {
  const { code, message, retryAfter } = fault;
  // Messages of the other codes come from the catalogue of errors.
  const words = code === 'over_share' ? { message } : {};
  return new ApiError(READ_FAULTS[code], {
    ...words,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: fault,
  });
}

function storeErrorCode(error: Error): ErrorCode | undefined {
  if (error instanceof ClickHouseError) {
    const { type = '', message } = error;
    const isTooMuch = type === 'MEMORY_LIMIT_EXCEEDED' && !MEMORY_OF_ONE_READ.test(message);
    if (READ_LIMITS.has(type) && !isTooMuch) return 'query_timeout';
    // Whatever else is not about the question is about the store as a whole: asking later helps.
    return isQuestionFault(error) ? undefined : 'storage_unavailable';
  }
  if (error instanceof StoreError) return 'storage_unavailable';
  if (error instanceof AccountsError) return error.code === 'accounts_unavailable' ? 'storage_unavailable' : undefined;
  return isConnectionFault(error) ? 'storage_unavailable' : undefined;
}
