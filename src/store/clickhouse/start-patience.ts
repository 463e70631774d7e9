import { ClickHouseError } from '@clickhouse/client';
import { ReadFault } from '../reads/read-fault.ts';
import { isConnectionFault, isLoginFault, isQuestionFault, isRightsFault } from './read/question-faults.ts';
import { StoreError } from './store-error.ts';

/**
 * Milliseconds that a start waits for a store that may come by itself, with a line of the log for each try; then it
 * ends with the last error.
 */
export const START_PATIENCE_MS = 30_000;

/**
 * True when a store that did not answer at a start may do so by itself: the server is not up yet, or its name is not
 * known yet, or an answer was cut, or the server named an error of its own. False for login, rights, the question, and
 * errors of ours about what is there.
 */
export function mayComeByItself(error: unknown): boolean {
  if (error instanceof StoreError) {
    const { code, cause } = error;
    // A server whose answers cannot be counted is one that nobody can use.
    return code === 'server_unusable' && !(cause instanceof ReadFault) && mayComeByItself(cause);
  }
  if (error instanceof ReadFault || isConnectionFault(error)) return true;
  if (error instanceof ClickHouseError) return !isQuestionFault(error) && !isLoginFault(error) && !isRightsFault(error);
  return isSaidBetween(error);
}

/** Of the client's errors those without a code: a time that is over, or the page of a proxy whose server is away. */
function isSaidBetween(error: unknown): boolean {
  return error instanceof Error && error.name === 'Error' && !('code' in error);
}
