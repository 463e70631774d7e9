import { ClickHouseError } from '@clickhouse/client';
import { ReadFault } from '../reads/read-fault.ts';
import { isConnectionFault, isLoginFault, isQuestionFault, isRightsFault } from './read/question-faults.ts';
import { StoreError } from './store-error.ts';

/** How long a start waits for a store that may come by itself, each time with a line of the log; then it ends, with what it was told last. */
export const START_PATIENCE_MS = 30_000;

/**
 * Whether a store that did not answer at a start may do so by itself: a server that is not up yet, or whose name is not known
 * yet, an answer that was cut, what the server says of itself. Not so the login, the rights, the question, and our own words about what is there.
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
