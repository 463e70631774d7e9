import type { Clock } from './clock.ts';

export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
  /** 0 to below 1. Tests give a fixed one. */
  readonly random?: () => number;
}

/** Delays that double up to a limit, with half of each left to chance so that clients do not come back together. */
export interface Backoff {
  /** Failures since the last success. */
  readonly failures: number;
  /** The next delay in milliseconds, at least `atLeastMs` (a server's Retry-After). */
  next(atLeastMs?: number): number;
  reset(): void;
}

/** Beyond this many doublings every limit is reached. */
const MAX_DOUBLINGS = 30;

export function createBackoff({ baseMs, maxMs, random = Math.random }: BackoffOptions): Backoff {
  let failures = 0;
  return {
    get failures() {
      return failures;
    },
    next(atLeastMs = 0) {
      const full = Math.min(maxMs, baseMs * 2 ** Math.min(failures, MAX_DOUBLINGS));
      failures += 1;
      return Math.max(atLeastMs, full / 2 + (full / 2) * random());
    },
    reset() {
      failures = 0;
    },
  };
}

/** Decision of the retry loop about a failed try. */
export interface RetryDecision {
  readonly retry: boolean;
  /** The server's own wish, milliseconds. */
  readonly afterMs?: number;
}

export interface RetryOptions extends BackoffOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Tries in all, the first included. */
  readonly maxTries: number;
  readonly judge: (error: unknown) => RetryDecision;
  readonly onRetry?: (error: unknown, delayMs: number) => void;
}

/**
 * Runs `attempt` until it succeeds, the judge says no, the tries are used up
 * or the signal aborts. Throws the last error.
 */
export async function withRetry<T>(options: RetryOptions, attempt: () => Promise<T>): Promise<T> {
  const backoff = createBackoff(options);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const decision = options.judge(error);
      if (!decision.retry || options.signal.aborted || backoff.failures + 1 >= options.maxTries) throw error;
      const delayMs = backoff.next(decision.afterMs);
      options.onRetry?.(error, delayMs);
      await options.clock.sleep(delayMs, options.signal);
      if (options.signal.aborted) throw error;
    }
  }
}
