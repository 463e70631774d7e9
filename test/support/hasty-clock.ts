import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/kernel/clock.ts';

/** Time that passes as fast as it is waited for: a sleep lets everybody else go first and is over. */
export function createHastyClock(start = 1_790_000_000_000): Clock {
  let elapsed = 0;
  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    async sleep(ms, signal) {
      if (signal?.aborted === true) return;
      await setImmediate();
      elapsed += ms;
    },
  };
}
