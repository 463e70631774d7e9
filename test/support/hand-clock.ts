import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/kernel/clock.ts';

export interface HandClock extends Clock {
  /** Lets time pass: whoever sleeps until then wakes up in order, and does what it does. */
  advance(ms: number): Promise<void>;
  /** Lets time pass for a process that stands still meanwhile: nobody wakes up. */
  freeze(ms: number): void;
  /** Number of sleepers now. */
  readonly sleeping: number;
}

/** Time that passes when the test says so. */
export function createHandClock(start = 1_790_000_000_000): HandClock {
  let elapsed = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve();
          return;
        }
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { at: elapsed + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
      });
    },
    freeze(ms) {
      elapsed += ms;
    },
    get sleeping() {
      return sleepers.size;
    },
    async advance(ms) {
      const until = elapsed + ms;
      for (;;) {
        const next = [...sleepers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        elapsed = Math.max(elapsed, next.at);
        next.wake();
        await setImmediate();
      }
      elapsed = until;
      await setImmediate();
    },
  };
}
