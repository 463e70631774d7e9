import type { Clock } from '../../../kernel/clock.ts';
import { isLoginFault } from '../read/question-faults.ts';

/** Reads and flushes that ingest waits for, and why they fail: for alarms. */
export interface StoreTrouble {
  /** A read or a flush begins. */
  waits(waiting: object): void;
  /** It has failed and is tried again. */
  failed(waiting: object, error: unknown): void;
  /** It is done, or given up. */
  over(waiting: object): void;
  readonly figures: StoreTroubleFigures;
}

export interface StoreTroubleFigures {
  /** Milliseconds that the oldest read or flush has been waited for; 0 without one. */
  readonly longestMs: number;
  /** Sentences for alarms; undefined where there is nothing to tell. */
  readonly failing: string | undefined;
  readonly loginRefused: string | undefined;
}

/** Failures for less than this are a restart of the embedded engine, or one error that passed. */
const PASSING_MS = 3_000;

interface Wait {
  readonly since: number;
  failedAt?: number;
  error?: unknown;
}

export function createStoreTrouble({ clock }: { readonly clock: Pick<Clock, 'elapsed'> }): StoreTrouble {
  /** Oldest first. */
  const waits = new Map<object, Wait>();
  return {
    waits(waiting) {
      waits.set(waiting, { since: clock.elapsed() });
    },
    failed(waiting, error) {
      const wait = waits.get(waiting);
      if (wait === undefined) return;
      wait.failedAt ??= clock.elapsed();
      wait.error = error;
    },
    over(waiting) {
      waits.delete(waiting);
    },
    get figures() {
      const all = [...waits.values()];
      const isRefused = all.some(({ error }) => isLoginFault(error));
      const failing = all.find(
        ({ failedAt, error }) =>
          failedAt !== undefined && !isLoginFault(error) && clock.elapsed() - failedAt >= PASSING_MS,
      );
      return {
        longestMs: all[0] === undefined ? 0 : clock.elapsed() - all[0].since,
        loginRefused: isRefused
          ? 'ClickHouse does not take our name and password any more: ingest waits until it does again'
          : undefined,
        failing: failing && `the store fails, and ingest waits for it: ${named(failing.error)}`,
      };
    },
  };
}

/** With the name that the server gives the error, which its text alone does not hold. */
function named(error: unknown): string {
  const name = error instanceof Error && 'type' in error ? `(${String(error.type)})` : '';
  return `${String(error).trim()} ${name}`.trim();
}
