import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { RateLimit } from '../handlers/caller.ts';
import { createRateLimiter } from './rate-limit.ts';

/** One bucket in whole thousandths of a token, for whole milliseconds: nothing is rounded. */
function createModel({ rps, burst }: RateLimit) {
  let thousandths = burst * 1000;
  let at = 0;
  return (now: number): boolean => {
    thousandths = Math.min(burst * 1000, thousandths + (now - at) * rps);
    at = now;
    if (thousandths < 1000) return false;
    thousandths -= 1000;
    return true;
  };
}

/** Time that a test sets. */
function createTime() {
  let now = 0;
  return { elapsed: () => now, pass: (ms: number) => (now += ms) };
}

const rates = fc.record({ rps: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 100 }) });
const pauses = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 3000 }));

describe('one caller', () => {
  it('is let in and refused exactly as a bucket without rounding says', () => {
    fc.assert(
      fc.property(rates, fc.array(pauses, { minLength: 1, maxLength: 400 }), (rate, steps) => {
        const time = createTime();
        const limiter = createRateLimiter<number>({ clock: time });
        const model = createModel(rate);
        for (const step of steps) {
          const now = time.pass(step);
          expect(limiter.take(1, rate).allowed).toBe(model(now));
        }
      }),
    );
  });

  it('is let in when it has waited the whole seconds that it was told, however often it was refused before', () => {
    fc.assert(
      fc.property(
        rates,
        fc.integer({ min: 0, max: 1e9 }),
        fc.array(pauses, { maxLength: 300 }),
        (rate, start, steps) => {
          const time = createTime();
          time.pass(start);
          const limiter = createRateLimiter<number>({ clock: time });
          for (const step of steps) {
            time.pass(step + 1 / 3);
            const { allowed, waitMs } = limiter.take(1, rate);
            expect(waitMs > 0 || allowed).toBe(true);
            if (allowed) continue;
            time.pass(Math.ceil(waitMs / 1000) * 1000);
            expect(limiter.take(1, rate).allowed).toBe(true);
          }
        },
      ),
    );
  });

  it('never waits longer than a token takes', () => {
    const time = createTime();
    const limiter = createRateLimiter<number>({ clock: time });
    const rate = { rps: 4, burst: 8 };
    for (let i = 0; i < 1_000; i += 1) expect(limiter.take(1, rate).waitMs).toBeLessThanOrEqual(250);
  });

  it('knows what it has left, and when the bucket is full', () => {
    const time = createTime();
    const limiter = createRateLimiter<number>({ clock: time });
    const rate = { rps: 20, burst: 40 };
    expect(limiter.peek(1, rate)).toMatchObject({ allowed: true, remaining: 40, fullInMs: 0, waitMs: 0 });
    expect(limiter.take(1, rate)).toMatchObject({ allowed: true, remaining: 39, fullInMs: 50 });
    for (let i = 0; i < 39; i += 1) limiter.take(1, rate);
    expect(limiter.take(1, rate)).toMatchObject({ allowed: false, remaining: 0, fullInMs: 2000, waitMs: 50 });
    time.pass(50);
    expect(limiter.peek(1, rate)).toMatchObject({ allowed: true, remaining: 1 });
  });

  it('goes by a new rate at once, and keeps what it has used', () => {
    const time = createTime();
    const limiter = createRateLimiter<number>({ clock: time });
    for (let i = 0; i < 5; i += 1) limiter.take(1, { rps: 1, burst: 5 });
    expect(limiter.take(1, { rps: 1, burst: 5 }).allowed).toBe(false);
    expect(limiter.take(1, { rps: 10, burst: 7 })).toMatchObject({ allowed: true, remaining: 1 });
    expect(limiter.take(1, { rps: 10, burst: 2 })).toMatchObject({ allowed: false, remaining: 0, waitMs: 500 });
  });
});

describe('many callers', () => {
  const capacity = 6;
  const slow = fc.record({ rps: fc.integer({ min: 1, max: 3 }), burst: fc.integer({ min: 1, max: 3 }) });
  /** Long enough now and then for a bucket to fill up and make room, while others have not. */
  const waits = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }) },
    fc.integer({ min: 300, max: 1200 }),
  );
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 15 }), waits), { minLength: 100, maxLength: 600 });

  it('never have more than their own bucket gives them, however many others come', () => {
    fc.assert(
      fc.property(fc.array(slow, { minLength: 16, maxLength: 16 }), steps, (callers, asked) => {
        const time = createTime();
        const limiter = createRateLimiter<number>({ clock: time, capacity, sharedBuckets: 3 });
        const granted = callers.map(createGrants);
        for (const [caller, step] of asked) {
          const now = time.pass(step);
          const rate = callers[caller]!;
          if (limiter.take(caller, rate).allowed) granted[caller]!(now);
          expect(limiter.size).toBeLessThanOrEqual(capacity);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('have each their own while there is room', () => {
    const time = createTime();
    const limiter = createRateLimiter<number>({ clock: time, capacity });
    const rate = { rps: 1, burst: 1 };
    for (let caller = 0; caller < capacity; caller += 1) expect(limiter.take(caller, rate).allowed).toBe(true);
    for (let caller = 0; caller < capacity; caller += 1) expect(limiter.take(caller, rate).allowed).toBe(false);
  });

  it('get a bucket again once others have been still', () => {
    const time = createTime();
    const limiter = createRateLimiter<string>({ clock: time, capacity: 4 });
    const rate = { rps: 1, burst: 2 };
    for (let i = 0; i < 10_000; i += 1) {
      time.pass(700);
      expect(limiter.take(`caller ${i}`, rate).allowed).toBe(true);
    }
  });
});

describe('the clock', () => {
  it('is the monotonic one: a change of the time of day gives nobody tokens', async () => {
    const clock = createHandClock();
    const limiter = createRateLimiter<number>({ clock: { ...clock, now: () => Number.MAX_SAFE_INTEGER } as never });
    const rate = { rps: 1, burst: 1 };
    expect(limiter.take(1, rate).allowed).toBe(true);
    expect(limiter.take(1, rate).allowed).toBe(false);
    await clock.advance(1000);
    expect(limiter.take(1, rate).allowed).toBe(true);
  });
});

/** Takes note of what was granted, and breaks when it is more than a bucket of that rate could give. */
function createGrants(rate: RateLimit): (now: number) => void {
  const model = createModel(rate);
  return (now) => {
    expect(model(now)).toBe(true);
  };
}
