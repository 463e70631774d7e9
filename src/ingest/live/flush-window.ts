import type { Clock } from '../../kernel/clock.ts';

export interface FlushWindowOptions {
  readonly clock: Clock;
  /** Between the starts of two flushes while little comes in. */
  readonly intervalMs: number;
  /** Rows that are worth a flush at once. */
  readonly enoughRows: number;
}

/** Decides when the next flush starts: once an interval, sooner when enough has gathered. */
export interface FlushWindow {
  /** Rows were added to what waits. */
  add(rows: number): void;
  /** The next flush starts now: nothing more will come, or no more may wait. */
  hurry(): void;
  /** Resolves when the next flush may start, and starts the next window. */
  opened(): Promise<void>;
}

export function createFlushWindow({ clock, intervalMs, enoughRows }: FlushWindowOptions): FlushWindow {
  let wake = new AbortController();
  let startedAt = clock.elapsed();
  let rowsWaiting = 0;

  return {
    add(rows) {
      rowsWaiting += rows;
      if (rowsWaiting >= enoughRows) wake.abort();
    },
    hurry() {
      wake.abort();
    },
    async opened() {
      await clock.sleep(Math.max(0, startedAt + intervalMs - clock.elapsed()), wake.signal);
      wake = new AbortController();
      startedAt = clock.elapsed();
      rowsWaiting = 0;
    },
  };
}
