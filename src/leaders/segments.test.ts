import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduleOf, validatorOf } from '../../test/support/leader-schedules.ts';
import { type Segment, segmentsOf, windowsOf } from './segments.ts';
import type { SlotFigures } from './slot-figures.ts';

const VALIDATORS = [validatorOf(0), validatorOf(1), validatorOf(2)];
const spans = (windows: readonly { readonly startSlot: number; readonly endSlot: number }[]) =>
  windows.map(({ startSlot, endSlot }) => [startSlot, endSlot]);

describe('windows of leaders', () => {
  const schedule = scheduleOf(VALIDATORS, [0, 1, 1, 2, 0]);

  it('are whole where the question begins or ends within them', () => {
    expect(spans(windowsOf(schedule, 4_005, 4_012))).toEqual([
      [4_004, 4_007],
      [4_008, 4_011],
      [4_012, 4_015],
    ]);
  });

  it('are two where a leader has two in a row', () => {
    expect(windowsOf(schedule, 4_004, 4_011).map(({ leader }) => leader)).toEqual([VALIDATORS[1], VALIDATORS[1]]);
  });

  it('end where the epoch does', () => {
    expect(spans(windowsOf(schedule, 0, 100_000))).toEqual(
      [0, 1, 2, 3, 4].map((turn) => [4_000 + 4 * turn, 4_003 + 4 * turn]),
    );
    const short = scheduleOf(VALIDATORS, [0, 1], { slots: 6 });
    expect(spans(windowsOf(short, 4_005, 9_000))).toEqual([[4_004, 4_005]]);
    expect(windowsOf(schedule, 4_020, 5_000)).toEqual([]);
    expect(windowsOf(schedule, 0, 3_999)).toEqual([]);
  });

  it('are cut where another leads within four slots, and left out where nobody does', () => {
    const uneven = scheduleOf(VALIDATORS, [0, 1, 2, 9], { turn: 3 });
    expect(spans(windowsOf(uneven, 4_000, 4_011))).toEqual([
      [4_000, 4_002],
      [4_003, 4_003],
      [4_004, 4_005],
      [4_006, 4_007],
      [4_008, 4_008],
    ]);
  });
});

/** What happened in a slot; of some nothing is known. */
function figuresOf(slot: number): SlotFigures {
  const state = slot % 7 === 0 ? 'skipped' : slot % 11 === 0 ? 'unknown' : 'seen';
  const big = (factor: number) => (state === 'seen' ? BigInt(slot * factor) : 0n);
  return {
    ...{ slot, state, swaps: state === 'seen' ? slot % 5 : 0 },
    ...{ priorityFees: big(2), tips: big(3), fees: big(5), vol: big(7) },
  };
}

const figures = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => figuresOf(first + index));

describe('segments', () => {
  it('are what going through all slots of the epoch one by one tells, for any question', () => {
    const question = fc.record({
      turns: fc.array(fc.nat(2), { minLength: 1, maxLength: 60 }),
      cut: fc.nat(3),
      firstSlot: fc.nat(10_000).map((turn) => 4 * turn),
      at: fc.nat(),
      past: fc.integer({ min: 1, max: 400 }),
      future: fc.integer({ min: 4, max: 1_600 }),
    });
    fc.assert(
      fc.property(question, ({ turns, cut, firstSlot, at, past, future }) => {
        const schedule = scheduleOf(VALIDATORS, turns, { firstSlot, slots: Math.max(1, turns.length * 4 - cut) });
        const currentSlot = firstSlot + (at % schedule.slots);
        const told = segmentsOf(schedule, { currentSlot, past, future }, figures);
        expect(told).toEqual(oneByOne({ turns, slots: schedule.slots, firstSlot, currentSlot, past, future }));
      }),
    );
  });

  it('ask for figures once, of the slots that have begun', () => {
    const asked: unknown[] = [];
    const schedule = scheduleOf(VALIDATORS, [0, 1, 2, 0, 1, 2]);
    segmentsOf(schedule, { currentSlot: 4_010, past: 5, future: 4 }, (...range) => {
      asked.push(range);
      return [];
    });
    expect(asked).toEqual([[4_004, 4_010]]);
  });

  it('know nothing of slots that figures leave out', () => {
    const schedule = scheduleOf(VALIDATORS, [0, 1]);
    const [past] = segmentsOf(schedule, { currentSlot: 4_004, past: 1, future: 4 }, () => []);
    expect(past!.sums).toMatchObject({ skipped: 0, unknown: 4, vol: 0n });
  });
});

interface Asked {
  readonly turns: readonly number[];
  readonly slots: number;
  readonly firstSlot: number;
  readonly currentSlot: number;
  readonly past: number;
  readonly future: number;
}

/** The same by another way: every turn of the epoch, kept when it touches a slot that was asked for. */
function oneByOne({ turns, slots, firstSlot, currentSlot, past, future }: Asked): Segment[] {
  return turns.flatMap((turn, index): Segment[] => {
    const [startSlot, endSlot] = [firstSlot + 4 * index, firstSlot + Math.min(4 * index + 3, slots - 1)];
    if (endSlot < currentSlot - past || startSlot > currentSlot + future || startSlot > endSlot) return [];
    const window = { startSlot, endSlot, leader: VALIDATORS[turn]! };
    if (startSlot > currentSlot) return [{ ...window, state: 'future', sums: undefined }];
    const known = figures(startSlot, Math.min(endSlot, currentSlot));
    const sum = (name: 'priorityFees' | 'tips' | 'fees' | 'vol') =>
      known.reduce((total, each) => total + each[name], 0n);
    const count = (state: string) => known.filter((each) => each.state === state).length;
    const sums = {
      swaps: known.reduce((total, { swaps }) => total + swaps, 0),
      ...{ priorityFees: sum('priorityFees'), tips: sum('tips'), fees: sum('fees'), vol: sum('vol') },
      ...{ skipped: count('skipped'), unknown: count('unknown') },
    };
    return [{ ...window, state: endSlot < currentSlot ? 'past' : 'active', sums }];
  });
}
