import { readFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import type { Logger } from './log.ts';
import { createBackoff } from './retry.ts';

/** The process has no file descriptor left, or the machine has none. */
const SHORTAGE_CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
/** Errors inside errors that are looked at: `fetch` and drivers wrap what the system says. */
const MAX_DEPTH = 5;
const RETRY_BASE_MS = 50;
const RETRY_MAX_MS = 2_000;
/** A shortage counts as over when nothing has met it for so long. */
const OVER_AFTER_MS = 10_000;

/** Advice for whoever starts the service with too few descriptors. */
export const DESCRIPTORS_REMEDY =
  'raise the limit to 1,024 or more (ulimit -n 1024 before the start, LimitNOFILE= in a systemd unit)';

/** Waits for file descriptors instead of failing, and knows of a shortage. */
export interface Descriptors {
  /**
   * Runs `attempt`, and again for as long as it fails for want of a descriptor.
   * Rejects with any other error, and with the last one when the signal aborts.
   */
  patiently<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Notes a failure that somebody else tries again; nothing when it has another reason. */
  noticed(error: unknown): void;
  /** True while something waits for a descriptor, and for {@link OVER_AFTER_MS} after the last failure. */
  readonly short: boolean;
}

export function createDescriptors({ clock, log }: { readonly clock: Clock; readonly log: Logger }): Descriptors {
  let waiting = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  const isShort = () => waiting > 0 || clock.elapsed() - failedAt < OVER_AFTER_MS;

  function noticed(error: unknown): void {
    if (!isOutOfDescriptors(error)) return;
    // Once a shortage: it must not fill the log.
    if (!isShort()) log.warn({ err: String(error) }, 'no file descriptor is left: trying again until there is one');
    failedAt = clock.elapsed();
  }

  return {
    noticed,
    get short() {
      return isShort();
    },
    async patiently(attempt, signal) {
      const backoff = createBackoff({ baseMs: RETRY_BASE_MS, maxMs: RETRY_MAX_MS });
      const isUnwanted = () => signal?.aborted === true;
      for (;;) {
        try {
          return await attempt();
        } catch (error) {
          if (!isOutOfDescriptors(error) || isUnwanted()) throw error;
          noticed(error);
          waiting += 1;
          await clock.sleep(backoff.next(), signal);
          waiting -= 1;
          if (isUnwanted()) throw error;
        }
      }
    },
  };
}

/** True when an error, or one that caused it, says that there is no file descriptor left. */
export function isOutOfDescriptors(error: unknown, depth = MAX_DEPTH): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  if ('code' in error && SHORTAGE_CODES.has(error.code)) return true;
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error.cause, ...inner].some((each) => isOutOfDescriptors(each, depth - 1));
}

/**
 * Number of file descriptors that this process may have open. Node raises the soft limit to the hard one when it
 * starts, so it is read here and not believed of the shell. Undefined where nobody says.
 */
export function readDescriptorLimit(readLimits = readProcLimits, readReport = readReportLimit): number | undefined {
  const text = readLimits();
  const soft = text === undefined ? readReport() : /^Max open files\s+(\S+)/m.exec(text)?.[1];
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  const limit = Number(soft);
  return Number.isInteger(limit) && limit > 0 ? limit : undefined;
}

/** Linux alone has it. */
function readProcLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return undefined;
  }
}

/** Elsewhere Node's report knows. It is large, and takes a fraction of a second: once, before anything listens. */
function readReportLimit(): string | undefined {
  const report = process.report?.getReport() as { readonly userLimits?: Record<string, { readonly soft: unknown }> };
  const soft = report?.userLimits?.open_files?.soft;
  return soft === undefined ? undefined : String(soft);
}
