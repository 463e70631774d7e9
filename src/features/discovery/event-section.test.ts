import { describe, expect, it } from 'vitest';
import { worldBatch } from '../../../test/support/token-world.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { createFeed } from '../../feed/in-process.ts';
import { EventLog } from './event-log.ts';
import { createEventSection } from './event-section.ts';

const START = 1_790_000_000;
const NOTHING = {
  ...{ creations: [], completions: [], graduations: [], creatorChanges: [] },
  ...{ swaps: [], attempts: [], transfers: [], positions: [] },
};
const EMPTY = worldBatch({ ...NOTHING, slot: 8, time: START + 3 });
const MINTS = [address(1)];

/** A section over a store whose holes a test opens and fills. */
function openSection() {
  let elapsed = 0;
  let reads = 0;
  let since = START;
  let broken = false;
  const feed = createFeed({ maxHeldBatches: 4 });
  feed.commit(7, 0);
  const section = createEventSection({
    reads: async () => {
      reads += 1;
      if (broken) throw new Error('away');
      return new EventLog({ blocks: [{ slot: 7, time: START + 2 }], wall: () => 0, trades: [], graduations: [] });
    },
    unbroken: async () => ({ first: 1, since }),
    feed,
    clock: { now: () => 0, elapsed: () => elapsed, sleep: () => new Promise(() => {}) },
  });
  return {
    feed,
    wholeFrom: async () => (await section.newest(1n, 5)).wholeFrom,
    reads: () => reads,
    beginAt(time: number) {
      since = time;
    },
    pass(ms: number) {
      elapsed += ms;
    },
    setBroken(value: boolean) {
      broken = value;
    },
  };
}

describe('events that are followed', () => {
  it('are whole since a hole that opened behind them, until they are read again', async () => {
    const { wholeFrom, beginAt, pass, reads } = openSection();
    expect(await wholeFrom()).toBe(START);
    beginAt(START + 1);
    expect(await wholeFrom()).toBe(START + 1);
    // It was filled, but what it held is not in the log.
    beginAt(START);
    expect(await wholeFrom()).toBe(START + 1);
    pass(10_000);
    expect(await wholeFrom()).toBe(START);
    expect(reads()).toBe(2);
  });

  it('do not claim a hole that came and went between two questions', async () => {
    const { feed, wholeFrom, pass } = openSection();
    expect(await wholeFrom()).toBe(START);
    feed.publish(EMPTY);
    feed.changed(MINTS);
    expect(await wholeFrom()).toBe(START + 3);
    pass(10_000);
    expect(await wholeFrom()).toBe(START);
  });

  it('are whole since a hole that the feed shows, before the store knows of it', async () => {
    const { feed, wholeFrom } = openSection();
    expect(await wholeFrom()).toBe(START);
    feed.publish(EMPTY);
    expect(await wholeFrom()).toBe(START);
    feed.publish(worldBatch({ ...NOTHING, slot: 10, time: START + 5 }));
    expect(await wholeFrom()).toBe(START + 5);
  });

  it('are read again no more often when that fails', async () => {
    const { feed, wholeFrom, pass, reads, setBroken } = openSection();
    await wholeFrom();
    feed.changed(MINTS);
    setBroken(true);
    pass(10_000);
    for (let question = 0; question < 5; question += 1) await wholeFrom();
    expect(reads()).toBe(2);
    setBroken(false);
    pass(10_000);
    expect(await wholeFrom()).toBe(START);
    expect(reads()).toBe(3);
  });

  it('are read no more often, either, when the very first read fails', async () => {
    const { wholeFrom, pass, reads, setBroken } = openSection();
    setBroken(true);
    await expect(wholeFrom()).rejects.toThrow('away');
    for (let question = 0; question < 5; question += 1) {
      await expect(wholeFrom()).rejects.toMatchObject({ code: 'warming_up' });
    }
    expect(reads()).toBe(1);
    pass(2_000);
    await expect(wholeFrom()).rejects.toThrow('away');
    expect(reads()).toBe(2);
    setBroken(false);
    pass(2_000);
    expect(await wholeFrom()).toBe(START);
  });
});
