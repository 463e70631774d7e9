import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { BlockWatch } from './block-watch.ts';

const BLOCKLESS_MS = 15_000;

/** A stream that is waited for a second at a time, until something is wrong with it. */
async function secondsUntilTrouble(onSecond: (watch: BlockWatch, second: number) => void, most = 600) {
  const clock = createHandClock();
  const watch = new BlockWatch(BLOCKLESS_MS);
  for (let second = 1; second <= most; second += 1) {
    const askedAt = clock.elapsed();
    await clock.advance(1_000);
    watch.waited(clock.elapsed() - askedAt);
    onSecond(watch, second);
    const trouble = watch.trouble();
    if (trouble !== undefined) return { second, trouble };
  }
  return undefined;
}

describe('a stream of which nothing but pings comes', () => {
  it('counts as broken after two minutes without a word of any slot, and not before', async () => {
    const ended = await secondsUntilTrouble(() => {});
    expect(ended).toEqual({ second: 120, trouble: 'no word of any slot for 120000 ms' });
  });

  it('has its two minutes again with every word of a slot, old ones too: a chain at rest is no dead stream', async () => {
    const oneSlot = (watch: BlockWatch, second: number) => {
      if (second % 119 === 0) watch.sawSlot(7);
    };
    expect(await secondsUntilTrouble(oneSlot)).toBeUndefined();
    expect(await secondsUntilTrouble((watch, second) => second === 100 && watch.sawBlock())).toMatchObject({
      second: 220,
    });
  });

  it('is not held to account for the time in which its process was frozen', () => {
    const watch = new BlockWatch(BLOCKLESS_MS);
    for (let wakes = 0; wakes < 5; wakes += 1) watch.waited(3_600_000);
    expect(watch.trouble()).toBeUndefined();
    watch.waited(20_000);
    expect(watch.trouble()).toMatch('no word of any slot');
  });
});

describe('a stream on which slots move and no block comes', () => {
  it('counts as broken after fifteen seconds', async () => {
    const ended = await secondsUntilTrouble((watch, second) => watch.sawSlot(second));
    expect(ended).toEqual({ second: 15, trouble: 'no block for 15000 ms while slots move' });
  });

  it('lives on while a block comes now and then', async () => {
    const moving = (watch: BlockWatch, second: number) => {
      watch.sawSlot(second);
      if (second % 14 === 0) watch.sawBlock();
    };
    expect(await secondsUntilTrouble(moving)).toBeUndefined();
  });
});
