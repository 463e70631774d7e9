import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../kernel/clock.ts';
import { ReadFault } from '../store/reads/read-fault.ts';
import { Asker, readAs } from '../store/reads/reader.ts';
import { createRefreshed } from './refreshed.ts';

const START = 1_790_000_000_000;

/** Time that stands still unless it is moved; sleepers wake when it passes them. */
function createStage({ capacity = 10, aheadMs = 0 } = {}) {
  let elapsed = 0;
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const clock: Clock = {
    now: () => START + elapsed,
    elapsed: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((wake) => {
        sleepers.push({ until: elapsed + ms, wake });
        signal?.addEventListener('abort', () => wake(), { once: true });
      }),
  };
  const made: { readonly resolve: (value: string) => void; readonly reject: (error: Error) => void }[] = [];
  const refreshed = createRefreshed<string>({ clock, capacity, aheadMs });
  return {
    refreshed,
    /** Makings begun so far, to be ended by the test. */
    made,
    ask: (key = 'a') => refreshed.get(key, () => new Promise((resolve, reject) => void made.push({ resolve, reject }))),
    now: (key = 'a') =>
      refreshed.with(
        key,
        () => new Promise((resolve, reject) => void made.push({ resolve, reject })),
        (value) => value,
      ),
    async pass(ms: number) {
      elapsed += ms;
      for (const { until, wake } of sleepers) if (until <= elapsed) wake();
      await setImmediate();
    },
  };
}

type Stage = ReturnType<typeof createStage>;

/** Has the stage make a value in `took` ms. */
async function makeIn(stage: Stage, value: string, took = 0, key = 'a') {
  const answer = stage.ask(key);
  await stage.pass(took);
  stage.made.at(-1)!.resolve(value);
  return answer;
}

describe('refreshed values', () => {
  it('are made once for all who ask at the same time', async () => {
    const stage = createStage();
    const asked = [stage.ask(), stage.ask(), stage.ask()];
    stage.made[0]!.resolve('one');
    expect((await Promise.all(asked)).map(({ value }) => value)).toEqual(['one', 'one', 'one']);
    expect(stage.made).toHaveLength(1);
  });

  it('are given for two seconds as they are, and tell when their making began', async () => {
    const stage = createStage();
    await makeIn(stage, 'one', 30);
    await stage.pass(1_969);
    expect(stage.refreshed.ready('a')).toMatchObject({ value: 'one', madeAt: START });
    expect(await stage.ask()).toMatchObject({ value: 'one', madeAt: START });
    await stage.pass(1);
    expect(stage.refreshed.ready('a')).toBeUndefined();
    expect(await makeIn(stage, 'two')).toMatchObject({ value: 'two', madeAt: START + 2_000 });
  });

  it.each([
    [300, 3_000],
    [450, 4_500],
    [4_000, 5_000],
  ])('that took %i ms are given until they are %i ms old', async (took, age) => {
    const stage = createStage();
    await makeIn(stage, 'one', took);
    await stage.pass(age - took - 1);
    expect(stage.refreshed.ready('a')?.value).toBe('one');
    await stage.pass(1);
    expect(stage.refreshed.ready('a')).toBeUndefined();
  });

  it('stand in for a failed refresh up to a minute, which is tried again after two seconds', async () => {
    const stage = createStage();
    await makeIn(stage, 'one');
    await stage.pass(2_000);
    const second = stage.ask();
    stage.made[1]!.reject(new Error('away'));
    expect(await second).toMatchObject({ value: 'one', madeAt: START });
    await stage.pass(1_999);
    expect((await stage.ask()).value).toBe('one');
    expect(stage.made).toHaveLength(2);
    await stage.pass(1);
    const third = stage.ask();
    expect(stage.made).toHaveLength(3);
    stage.made[2]!.reject(new Error('away'));
    expect((await third).value).toBe('one');
    await stage.pass(60_000 - 4_000 + 1);
    const late = stage.ask();
    stage.made[3]!.reject(new Error('still away'));
    await expect(late).rejects.toThrow('still away');
  });

  it.each([
    ['timed_out', 2],
    ['over_share', 3],
    ['too_busy', 3],
    ['abandoned', 3],
  ] as const)('whose refresh was %s: that of the next who asks is number %i', async (code, times) => {
    const stage = createStage();
    await makeIn(stage, 'one');
    await stage.pass(2_000);
    const second = stage.ask();
    stage.made[1]!.reject(new ReadFault(code, 'no value'));
    await second;
    void stage.ask();
    expect(stage.made).toHaveLength(times);
  });

  it('without one before hand the failure on to all who waited, and try again for the next', async () => {
    const stage = createStage();
    const asked = [stage.ask(), stage.ask()];
    stage.made[0]!.reject(new Error('away'));
    await expect(Promise.all(asked)).rejects.toThrow('away');
    await expect(asked[1]).rejects.toThrow('away');
    expect((await makeIn(stage, 'two')).value).toBe('two');
  });

  it('are given again when the refresh takes longer than a moment, and the refresh still counts', async () => {
    const stage = createStage();
    await makeIn(stage, 'one');
    await stage.pass(2_500);
    const asked = stage.ask();
    await stage.pass(1_000);
    expect((await asked).value).toBe('one');
    stage.made[1]!.resolve('two');
    await stage.pass(0);
    expect(stage.refreshed.ready('a')?.value).toBe('two');
    expect(stage.made).toHaveLength(2);
  });

  it('are kept for as many keys as there is room, the ones asked for last', async () => {
    const stage = createStage({ capacity: 2 });
    await makeIn(stage, 'a', 0, 'a');
    await makeIn(stage, 'b', 0, 'b');
    stage.refreshed.ready('a');
    await makeIn(stage, 'c', 0, 'c');
    expect(['a', 'b', 'c'].map((key) => stage.refreshed.ready(key)?.value)).toEqual(['a', undefined, 'c']);
  });

  it('are given at once while they are young and made again for the next question', async () => {
    const stage = createStage({ aheadMs: 10_000 });
    await makeIn(stage, 'one');
    await stage.pass(3_000);
    expect([stage.now(), stage.now(), stage.made.length]).toEqual(['one', 'one', 2]);
    stage.made[1]!.resolve('two');
    await stage.pass(0);
    expect([stage.now(), stage.made.length]).toEqual(['two', 2]);
    // Once it is not young any more, whoever asks waits.
    await stage.pass(10_000);
    const asked = stage.now();
    expect(asked).toBeInstanceOf(Promise);
    stage.made[2]!.resolve('three');
    expect(await asked).toBe('three');
  });

  it('are given while they are young though the next one cannot be made, and it is not tried by every question', async () => {
    const stage = createStage({ aheadMs: 10_000 });
    await makeIn(stage, 'one');
    await stage.pass(3_000);
    expect(stage.now()).toBe('one');
    stage.made[1]!.reject(new Error('no luck'));
    await stage.pass(0);
    await stage.pass(1_999);
    expect([stage.now(), stage.made.length]).toEqual(['one', 2]);
    await stage.pass(1);
    expect([stage.now(), stage.made.length]).toEqual(['one', 3]);
  });

  it('are not made again in the name of somebody who has left', async () => {
    const stage = createStage({ aheadMs: 10_000 });
    await makeIn(stage, 'one');
    await stage.pass(3_000);
    const gone = new Asker(() => ({ account: 'a', key: 'a' }), 5_000);
    gone.leave();
    expect([readAs(gone, () => stage.now()), stage.made.length]).toEqual(['one', 1]);
    expect([stage.now(), stage.made.length]).toEqual(['one', 2]);
  });
});
