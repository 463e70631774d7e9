import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 14, 12, 0, 0);

describe('how long a server asks to wait', () => {
  it.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Sat, 14 Nov 2026 12:00:10 GMT' }, 10_000],
    [{ 'retry-after': 'Sat, 14 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': '86400' }, 60_000],
    [{ 'retry-after': 'soon' }, 0],
    [{ 'retry-after': '' }, 0],
    [{ 'retry-after': '-5' }, 0],
    [{ 'x-ratelimit-reset': '7' }, 7_000],
    [{ 'x-ratelimit-reset': String(NOW / 1_000 + 9) }, 9_000],
    [{ 'retry-after': '2', 'ratelimit-reset': '8' }, 2_000],
    [{}, 0],
  ] as const)('%j means %i ms', (headers, ms) => {
    expect(retryAfterMs(new Headers(headers), NOW)).toBe(ms);
  });
});
