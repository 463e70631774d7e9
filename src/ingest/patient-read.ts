import type { Clock } from '../kernel/clock.ts';
import type { Descriptors } from '../kernel/descriptors.ts';
import type { Logger } from '../kernel/log.ts';
import { withRetry } from '../kernel/retry.ts';

export interface PatientReadOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Waited for without an end: tries are for a store that is away. */
  readonly descriptors: Pick<Descriptors, 'patiently'>;
  /** Aborts when the store is closed. */
  readonly signal: AbortSignal;
}

const RETRY_BASE_MS = 100;
const RETRY_MAX_MS = 5_000;
/** Over an hour at the longest delay: a store may be away for an upgrade, and writing waits as well. */
const MAX_TRIES = 1_000;

/** What a server says when it is busy or going down; anything else it says is about the question. */
const PASSING_REFUSALS: ReadonlySet<string> = new Set([
  '159', // TIMEOUT_EXCEEDED
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '236', // ABORTED: it ends itself over a fault of its own
  '241', // MEMORY_LIMIT_EXCEEDED
  '394', // QUERY_WAS_CANCELLED, as all are when it stops
]);

/** Asks the store again while it is away or busy: ingest waits for it instead of giving up. */
export function patientRead<T>(
  { clock, log, descriptors, signal }: PatientReadOptions,
  read: () => Promise<T>,
): Promise<T> {
  return withRetry(
    {
      clock,
      signal,
      baseMs: RETRY_BASE_MS,
      maxMs: RETRY_MAX_MS,
      maxTries: MAX_TRIES,
      judge: (error) => ({ retry: !isRefusal(error) }),
      onRetry: (error, delayMs) =>
        log.warn({ err: String(error), delay_ms: Math.round(delayMs) }, 'the store did not answer ingest'),
    },
    () => descriptors.patiently(read, signal),
  );
}

/** The server's own errors have numbers for codes; those of the way to it have names, or none. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const code = String(error.code);
  return /^\d+$/.test(code) && !PASSING_REFUSALS.has(code);
}
