import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchSilence } from './silence-watch.ts';

const SILENCE_MS = 45_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection on which `bytesAt` so many bytes have come by each second. Gives the second at which it counts as silent. */
function secondOfSilence(bytesAt: (second: number) => number, messageAt: readonly number[] = [], most = 3_000) {
  let second = 0;
  let silentAt: number | undefined;
  const watch = watchSilence({
    silenceMs: SILENCE_MS,
    bytesRead: () => bytesAt(second),
    onSilence: () => {
      silentAt ??= second;
    },
  });
  for (second = 1; second <= most && silentAt === undefined; second += 1) {
    if (messageAt.includes(second)) watch.heard();
    vi.advanceTimersByTime(1_000);
  }
  watch.stop();
  return silentAt;
}

describe('a connection without a whole message', () => {
  it('is silent when nothing comes, counted from the last message', () => {
    expect(secondOfSilence(() => 0)).toBe(45);
    expect(secondOfSilence(() => 0, [31])).toBe(75);
  });

  it('lives while bytes of a message drip in, and not for ever', () => {
    // A block of 40 MB at 20 kB a second takes 2,000 s: longer than anybody should wait. One of 10 MB comes.
    const dripping = (second: number) => 20_000 * second;
    expect(secondOfSilence(dripping, [500, 1_000, 1_500, 2_000, 2_500, 3_000])).toBeUndefined();
    expect(secondOfSilence(dripping)).toBe(21 * 45);
  });

  it('is silent when bytes stop in the middle of a message', () => {
    expect(secondOfSilence((second) => 20_000 * Math.min(second, 100))).toBe(180);
  });

  it('is not kept alive by what HTTP/2 and TLS send of themselves', () => {
    expect(secondOfSilence((second) => 17 * second)).toBe(45);
  });
});
