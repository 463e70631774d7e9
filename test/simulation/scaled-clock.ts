import { type Clock, systemClock } from '../../src/kernel/clock.ts';

/** A clock that runs `factor` times as fast: waits take as much less, and measure the same to whoever asks it. */
export function createScaledClock(factor: number): Clock {
  const startedAt = systemClock.elapsed();
  const startTime = systemClock.now();
  const elapsed = () => (systemClock.elapsed() - startedAt) * factor;
  return {
    elapsed,
    now: () => startTime + elapsed(),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
