import { expect, it } from 'vitest';
import { createReadiness } from './readiness.ts';

it('is ready once figures stand and while blocks are young enough, and stays warm', () => {
  const feed = { headSlot: 0 };
  const stats: { ended: boolean; lagMs: number | undefined } = { ended: false, lagMs: undefined };
  let isWarm = false;
  const unready = createReadiness({ ingest: { stats: () => stats }, feed, isWarm: () => isWarm, maxLagMs: 60_000 });
  expect(unready()).toEqual({ code: 'warming_up', message: 'no block has come yet' });
  isWarm = true;
  expect(unready()?.code).toBe('warming_up');
  isWarm = false;
  feed.headSlot = 7;
  expect(unready()).toEqual({ code: 'warming_up', message: 'figures of the market are being read' });
  isWarm = true;
  // The store had blocks at the start, and none has come since.
  expect(unready()).toEqual({ code: 'warming_up', message: 'no block has come yet' });
  stats.lagMs = 5;
  expect(unready()).toBeUndefined();
  // Windows that are read anew are no reason to ask others.
  isWarm = false;
  stats.lagMs = 60_000;
  expect(unready()).toBeUndefined();
  stats.lagMs = 75_400;
  expect(unready()).toEqual({ code: 'lagging', message: 'the newest block is 75 s old' });
  stats.ended = true;
  expect(unready()).toBeUndefined();
  stats.lagMs = undefined;
  expect(unready()).toBeUndefined();
});
