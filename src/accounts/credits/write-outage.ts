import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { createBackoff } from '../../kernel/retry.ts';

const RETRY_BASE_MS = 100;
const RETRY_MAX_MS = 500;

/** The time in which credits cannot be written. */
export interface WriteOutage {
  /** A pass failed. */
  failed(error: unknown): void;
  /** A pass went through. */
  succeeded(): void;
  /** Milliseconds since writing began to fail; undefined while it does not. */
  readonly forMs: number | undefined;
  /** Milliseconds to wait before the next try. */
  pauseMs(): number;
}

export function createWriteOutage({ clock, log }: { readonly clock: Clock; readonly log: Logger }): WriteOutage {
  const backoff = createBackoff({ baseMs: RETRY_BASE_MS, maxMs: RETRY_MAX_MS });
  let since: number | undefined;
  return {
    failed(error) {
      if (since !== undefined) return;
      since = clock.elapsed();
      log.warn({ err: String(error) }, 'credits cannot be written; calls go on while leases last');
    },
    succeeded() {
      backoff.reset();
      if (since === undefined) return;
      log.info({ lasted_ms: Math.round(clock.elapsed() - since) }, 'credits are written again');
      since = undefined;
    },
    get forMs() {
      return since === undefined ? undefined : clock.elapsed() - since;
    },
    pauseMs: () => Math.ceil(backoff.next()),
  };
}
