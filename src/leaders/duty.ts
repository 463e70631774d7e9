import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createBackoff } from '../kernel/retry.ts';

export interface DutyOptions {
  /** What is asked for, as logs name it. */
  readonly name: string;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborts when nothing is wanted any more. */
  readonly signal: AbortSignal;
}

/** Something that is tried until it succeeds, and left alone for longer and longer while it does not. It never rejects. */
export interface Duty {
  readonly name: string;
  /** Runs the work unless it rests; true when it was done. Work that gives false is not possible yet. */
  run(work: () => Promise<boolean>): Promise<boolean>;
  /** The same, and after a success not again for so long. */
  every(ms: number, work: () => Promise<boolean>): Promise<boolean>;
  /** Starts anew, maybe for another subject. */
  begin(subject?: number): void;
  readonly subject: number | undefined;
  /** In a row. */
  readonly failures: number;
  /** Since the start, without what was not possible yet. */
  readonly failed: number;
  /** Monotonic milliseconds of the last success; undefined before the first. */
  readonly doneAt: number | undefined;
}

export function createDuty({ name, baseMs, maxMs, clock, log, signal }: DutyOptions): Duty {
  const backoff = createBackoff({ baseMs, maxMs });
  let restsUntil = Number.NEGATIVE_INFINITY;
  let subject: number | undefined;
  let failures = 0;
  let failed = 0;
  let doneAt: number | undefined;

  function fail(error: unknown): void {
    failures += 1;
    const pauseMs = backoff.next();
    restsUntil = clock.elapsed() + pauseMs;
    if (error === undefined) return;
    failed += 1;
    const fields = { code: `leaders_${name}_failed`, err: String(error), failures, pause_ms: Math.round(pauseMs) };
    // Public nodes refuse some calls for good: it is told once.
    if (failures === 1) log.warn(fields, 'what is known of leaders could not be brought up to date');
    else log.debug(fields, 'what is known of leaders could not be brought up to date again');
  }

  async function every(ms: number, work: () => Promise<boolean>): Promise<boolean> {
    if (signal.aborted || clock.elapsed() < restsUntil) return false;
    try {
      if (!(await work())) {
        fail(undefined);
        return false;
      }
    } catch (error) {
      if (!signal.aborted) fail(error);
      return false;
    }
    if (failures > 0) log.info({ code: `leaders_${name}_recovered` }, 'what is known of leaders is up to date again');
    begin(subject);
    doneAt = clock.elapsed();
    restsUntil = doneAt + ms;
    return true;
  }

  function begin(next?: number): void {
    subject = next;
    failures = 0;
    backoff.reset();
    restsUntil = Number.NEGATIVE_INFINITY;
  }

  return {
    name,
    run: (work) => every(0, work),
    every,
    begin,
    get subject() {
      return subject;
    },
    get failures() {
      return failures;
    },
    get failed() {
      return failed;
    },
    get doneAt() {
      return doneAt;
    },
  };
}
