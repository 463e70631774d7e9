import { describe, expect, it } from 'vitest';
import { knowsReverted, minuteKeys, spanOf } from './landing-frame.ts';
import type { LandingBlocksRow } from './landing-reads.ts';

const MINUTE = 60_000;
/** A minute of slots, three of them without a block, and transactions of which some failed. */
function minute(place: number, told: Partial<LandingBlocksRow> = {}): LandingBlocksRow {
  const first = 10_000 + 200 * place;
  const slots = BigInt(197 * (first + 98));
  return {
    ...{ start: MINUTE + 60 * place, first, last: first + 196, blocks: 194, slots },
    ...{ transactions: 5_000n, failed: 1_700n, ...told },
  };
}
const minutes = [minute(0), minute(1), minute(3)];
const coverage = [{ first: 9_000, last: 20_000 }];
const starts = [MINUTE, MINUTE + 60, MINUTE + 180];

describe('what sums of a minute hang on', () => {
  const keys = minuteKeys({ kept: minutes, coverage });
  const changed = (other: Parameters<typeof minuteKeys>[0]) => {
    const now = minuteKeys(other);
    return starts.filter((start) => now.get(start) !== keys.get(start));
  };

  it('stays the same while the same blocks are there', () => {
    expect([...keys.keys()]).toEqual(starts);
    expect(changed({ kept: minutes.map((each) => ({ ...each })), coverage: [{ first: 9_000, last: 30_000 }] })).toEqual(
      [],
    );
  });

  it('is another when a block comes late, of the minute behind it too, in which its tokens may still be new', () => {
    const late = minute(0, { blocks: 195, slots: minutes[0]!.slots + 10_050n });
    expect(changed({ kept: [late, ...minutes.slice(1)], coverage })).toEqual(starts.slice(0, 2));
  });

  it('leaves a minute alone that begins thirty slots behind', () => {
    const late = minute(1, { blocks: 195, slots: minutes[1]!.slots + 10_250n });
    expect(changed({ kept: [minutes[0]!, late, minutes[2]!], coverage })).toEqual([starts[1]]);
  });

  it('reaches as far as thirty slots, however many minutes they take', () => {
    const slow = [0, 1, 2, 3].map((place) => minute(place, { first: 500 + 10 * place, last: 505 + 10 * place }));
    const late = minute(0, { first: 500, last: 505, blocks: 195 });
    const before = minuteKeys({ kept: slow, coverage });
    const after = minuteKeys({ kept: [late, ...slow.slice(1)], coverage });
    const others = slow.map(({ start }) => before.get(start) !== after.get(start));
    // 530 is 29 slots behind 505 at most: the first reaches into the fourth minute from 502 on.
    expect(others).toEqual([true, true, true, true]);
  });

  it('is another while the rows of a slot are still being written, and when they are', () => {
    const hole = [
      { first: 9_000, last: 10_050 },
      { first: 10_052, last: 20_000 },
    ];
    expect(changed({ kept: minutes, coverage: hole })).toEqual([starts[0]]);
    const behind = [
      { first: 9_000, last: 10_196 },
      { first: 10_198, last: 20_000 },
    ];
    expect(changed({ kept: minutes, coverage: behind })).toEqual([starts[1]]);
  });
});

describe('reverted transactions', () => {
  it('are known where blocks tell of some that failed', () => {
    expect(knowsReverted({ minutes })).toBe(true);
  });

  it('are not known where no block tells of any', () => {
    expect(knowsReverted({ minutes: [minute(0, { failed: 0n, transactions: 10n })] })).toBe(false);
    expect(knowsReverted({ minutes: [] })).toBe(false);
  });

  it('are not known where a source left them out for a while, and a quiet minute says nothing', () => {
    expect(knowsReverted({ minutes: [...minutes, minute(4, { failed: 0n, transactions: 1_000n })] })).toBe(false);
    expect(knowsReverted({ minutes: [...minutes, minute(4, { failed: 0n, transactions: 999n })] })).toBe(true);
  });
});

describe('the span of some minutes', () => {
  it('has the slots of all blocks in it', () => {
    expect(spanOf({ minutes }, MINUTE + 30, MINUTE + 70)).toEqual({
      ...{ first: 10_000, last: 10_396, since: MINUTE + 30, until: MINUTE + 70 },
    });
    expect(spanOf({ minutes }, MINUTE + 120, MINUTE + 179)).toBeUndefined();
  });
});
