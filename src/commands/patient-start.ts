import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { withRetry } from '../kernel/retry.ts';
import { mayComeByItself, START_PATIENCE_MS } from '../store/clickhouse/start-patience.ts';

export interface PatientStart {
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborts when the service is asked to stop meanwhile. */
  readonly signal: AbortSignal;
}

const RETRY_BASE_MS = 250;
const RETRY_MAX_MS = 5_000;

/**
 * Opens the store, and again for as long as it may come by itself: a server that is not up yet, or goes down and comes back, a network that
 * broke, a Keeper without a session. Each try is told in the log. What is wrong with the login, the rights or the store itself ends the start at once.
 */
export function openPatiently<T>({ clock, log, signal }: PatientStart, open: () => Promise<T>): Promise<T> {
  const until = clock.elapsed() + START_PATIENCE_MS;
  return withRetry(
    {
      clock,
      signal,
      baseMs: RETRY_BASE_MS,
      maxMs: RETRY_MAX_MS,
      maxTries: Number.POSITIVE_INFINITY,
      judge: (error) => ({ retry: clock.elapsed() < until && mayComeByItself(error) }),
      onRetry: (error, delayMs) =>
        log.warn(
          { err: String(error), delay_ms: Math.round(delayMs), patience_ms: START_PATIENCE_MS },
          'the store does not open yet: trying again',
        ),
    },
    open,
  );
}
