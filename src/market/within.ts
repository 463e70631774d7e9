import type { Clock } from '../kernel/clock.ts';

/** Waits until those are told, but not for ever. */
export async function within(clock: Clock, ms: number, told: Set<() => void>): Promise<void> {
  const patience = new AbortController();
  let tell: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    tell = resolve;
  });
  told.add(tell);
  try {
    await Promise.race([done, clock.sleep(ms, patience.signal)]);
  } finally {
    told.delete(tell);
    patience.abort();
  }
}
