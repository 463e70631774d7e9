import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { isRefusal, SettlementRefused } from './write-settlement.ts';

/** A write that takes longer holds new calls back: with each of them a kill would lose more. */
export const MAX_WRITE_MS = 1_000;

export interface WriteWatchOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds since the oldest debit that is not written, at most; 0 while that does not count. */
  readonly unwrittenMs: () => number;
  /** Age that such a debit may have while something is being written: one that a write leaves to the next waits for both. */
  readonly maxUnwrittenMs: number;
}

/** Watches how long the writes of a process take, one after the other. */
export interface WriteWatch {
  during<T>(write: () => Promise<T>): Promise<T>;
  /** Everything that had been settled when a pass began is written, but for what the database refuses. */
  passed(): void;
  /**
   * True while a write takes over {@link MAX_WRITE_MS}, or took it and none was answered by the database since; or
   * while debits wait too long behind writes, each of which is quick enough.
   */
  readonly isStalled: boolean;
  /** Milliseconds since the write that takes so long began; undefined while none does. */
  readonly stalledMs: number | undefined;
  /** Milliseconds that the write under way takes already; undefined while there is none. */
  readonly forMs: number | undefined;
}

export function createWriteWatch({ clock, log, unwrittenMs, maxUnwrittenMs }: WriteWatchOptions): WriteWatch {
  let since: number | undefined;
  let stalledSince: number | undefined;

  function isLate(): boolean {
    return since !== undefined && (clock.elapsed() - since > MAX_WRITE_MS || unwrittenMs() > maxUnwrittenMs);
  }

  function isStalled(): boolean {
    if (stalledSince !== undefined) return true;
    if (!isLate()) return false;
    stalledSince = since;
    log.warn(
      { after_ms: MAX_WRITE_MS },
      'credits take over a second to write; calls are refused until they are written',
    );
    return true;
  }

  function answered(): void {
    if (stalledSince === undefined) return;
    log.info({ lasted_ms: Math.round(clock.elapsed() - stalledSince) }, 'credits are written in time again');
    stalledSince = undefined;
  }

  return {
    async during(write) {
      since = clock.elapsed();
      try {
        const result = await write();
        if (unwrittenMs() <= maxUnwrittenMs) answered();
        return result;
      } catch (error) {
        // A refusal is an answer. Anything else says as little as no answer: it may take as long the next time.
        if (error instanceof SettlementRefused || isRefusal(error)) answered();
        else isStalled();
        throw error;
      } finally {
        since = undefined;
      }
    },
    passed: answered,
    get isStalled() {
      return isStalled();
    },
    get stalledMs() {
      return isStalled() ? clock.elapsed() - stalledSince! : undefined;
    },
    get forMs() {
      return since === undefined ? undefined : clock.elapsed() - since;
    },
  };
}
