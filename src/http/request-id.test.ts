import { describe, expect, it } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { createRequestIds } from './request-id.ts';

describe('request ids', () => {
  it('are ULIDs, unique, and start with the time', () => {
    const newId = createRequestIds({ ...systemClock, now: () => 1_785_578_400_123 });
    const ids = Array.from({ length: 10_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    const time = [...String(ids[0]).slice(0, 10)].reduce((sum, digit) => sum * 32 + CROCKFORD.indexOf(digit), 0);
    expect(time).toBe(1_785_578_400_123);
  });

  it('differ between processes that start in the same millisecond', () => {
    const clock = { ...systemClock, now: () => 1 };
    expect(createRequestIds(clock)().slice(10, 18)).not.toBe(createRequestIds(clock)().slice(10, 18));
  });
});

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
