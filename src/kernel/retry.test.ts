import { describe, expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { createBackoff, type RetryDecision, withRetry } from './retry.ts';

function recordingClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => 0,
    elapsed: () => 0,
    sleep: (ms) => {
      slept.push(ms);
      return Promise.resolve();
    },
  };
}

function failing(times: number): () => Promise<string> {
  let calls = 0;
  return () => {
    calls += 1;
    return calls <= times ? Promise.reject(new Error(`try ${calls}`)) : Promise.resolve('done');
  };
}

const always = (): RetryDecision => ({ retry: true });

describe('a backoff', () => {
  it('doubles up to its limit and starts again after a success', () => {
    const backoff = createBackoff({ baseMs: 100, maxMs: 500, random: () => 1 });
    expect([backoff.next(), backoff.next(), backoff.next(), backoff.next()]).toEqual([100, 200, 400, 500]);
    backoff.reset();
    expect(backoff.next()).toBe(100);
  });

  it('never waits less than half of its step or than the server asked for', () => {
    const backoff = createBackoff({ baseMs: 100, maxMs: 500, random: () => 0 });
    expect(backoff.next()).toBe(50);
    expect(backoff.next(5_000)).toBe(5_000);
  });
});

describe('retrying', () => {
  const options = { baseMs: 10, maxMs: 1_000, random: () => 1, maxTries: 3, judge: always };

  it('gives the first success, after the waits between', async () => {
    const clock = recordingClock();
    const result = await withRetry({ ...options, clock, signal: new AbortController().signal }, failing(2));
    expect(result).toBe('done');
    expect(clock.slept).toEqual([10, 20]);
  });

  it('throws the last error when the tries are used up', async () => {
    const run = withRetry({ ...options, clock: recordingClock(), signal: new AbortController().signal }, failing(3));
    await expect(run).rejects.toThrow('try 3');
  });

  it('throws at once what cannot be retried', async () => {
    const clock = recordingClock();
    const judge = () => ({ retry: false });
    const run = withRetry({ ...options, judge, clock, signal: new AbortController().signal }, failing(1));
    await expect(run).rejects.toThrow('try 1');
    expect(clock.slept).toEqual([]);
  });

  it('stops on abort', async () => {
    const run = withRetry({ ...options, clock: recordingClock(), signal: AbortSignal.abort() }, failing(1));
    await expect(run).rejects.toThrow('try 1');
  });
});
