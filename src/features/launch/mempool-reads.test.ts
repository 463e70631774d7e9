import { describe, expect, it } from 'vitest';
import { mempoolMark } from './mempool-reads.ts';

const DAY = 300_000;

describe('the slot of mempool buyers', () => {
  it('is the last one that was gone through when nothing waits', () => {
    expect(mempoolMark([{ first: 1, last: 90 }], [{ first: 1, last: 80 }], 1)).toEqual({ slot: 80, isWhole: true });
    expect(mempoolMark([{ first: 1, last: 90 }], [{ first: 1, last: 90 }], 1)).toEqual({ slot: 90, isWhole: true });
    expect(mempoolMark([], [], 1)).toEqual({ slot: 0, isWhole: true });
  });

  it('is before what waits beneath newer slots, as the newest are gone through first', () => {
    const whole = [{ first: 1, last: 100 }];
    expect(mempoolMark(whole, [{ first: 81, last: 100 }], 1)).toEqual({ slot: 0, isWhole: true });
    expect(
      mempoolMark(
        whole,
        [
          { first: 1, last: 40 },
          { first: 81, last: 100 },
        ],
        1,
      ),
    ).toEqual({ slot: 40, isWhole: true });
  });

  it('passes over holes, which have nothing to go through', () => {
    const whole = [
      { first: 1, last: 40 },
      { first: 61, last: 100 },
    ];
    expect(mempoolMark(whole, whole, 1)).toEqual({ slot: 100, isWhole: true });
  });

  it('leaves out what waits from before the days that are asked for, and says so', () => {
    const [old, now] = [1, 10 * DAY];
    const whole = [{ first: old, last: now }];
    const done = [{ first: now - 2 * DAY, last: now }];
    expect(mempoolMark(whole, done, 1)).toEqual({ slot: now, isWhole: false });
    expect(mempoolMark(whole, done, 3)).toEqual({ slot: now - 3 * DAY - 1, isWhole: false });
  });
});
