import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { scheduleOf, validatorOf } from '../../test/support/leader-schedules.ts';
import { ReadFault } from '../store/reads/read-fault.ts';
import { createCreatedLeaders } from './created-leaders.ts';
import type { EpochSchedule, Validator } from './epoch-schedule.ts';
import { createKnownLeaders } from './known-leaders.ts';
import { NO_PLACES } from './places.ts';
import { isOfEpoch } from './segments.ts';

const [NOW, OLD] = [validatorOf(0, { name: 'Now' }), validatorOf(1, { name: 'Old' })];
const SCHEDULE = scheduleOf([NOW], [0, 0]);

/** Leaders with one epoch in memory and some slots in the store. */
function open(stored: ReadonlyMap<number, Validator>) {
  let schedule: EpochSchedule | undefined = SCHEDULE;
  let elapsed = 0;
  let fault: Error | undefined;
  const asked: (readonly number[])[] = [];
  const created = createCreatedLeaders({
    leaders: {
      scheduleAt: () => schedule,
      leaderAt: (slot) =>
        schedule !== undefined && isOfEpoch(schedule, slot)
          ? schedule.validators[schedule.leaders[slot - schedule.firstSlot]!]
          : undefined,
      async leadersOf(slots) {
        asked.push(slots);
        if (fault !== undefined) throw fault;
        return new Map([...stored].filter(([slot]) => slots.includes(slot)));
      },
      changes: 0,
    },
    known: createKnownLeaders(NO_PLACES),
    clock: { elapsed: () => elapsed },
  });
  return {
    ...{ created, asked },
    nameAt: (slot: number) => created.at(slot)?.name,
    tell(next: EpochSchedule | undefined) {
      schedule = next;
    },
    pass(ms: number) {
      elapsed += ms;
    },
    fail(error: Error | undefined) {
      fault = error;
    },
  };
}

describe('leaders of slots of any age', () => {
  it('come out of memory, and nobody is asked for them', () => {
    const { created, asked, nameAt } = open(new Map());
    expect(created.ready([4_000, 4_007])).toBeUndefined();
    expect(nameAt(4_003)).toBe('Now');
    expect(asked).toEqual([]);
  });

  it('come out of the store behind it, once for all', async () => {
    const { created, asked, nameAt } = open(new Map([[7, OLD]]));
    expect(nameAt(7)).toBeUndefined();
    await created.ready([7, 4_000, 7]);
    expect(nameAt(7)).toBe('Old');
    expect(created.ready([7])).toBeUndefined();
    expect(asked).toEqual([[7]]);
  });

  it('that are not known are asked for again after a minute', async () => {
    const { created, asked, pass } = open(new Map());
    await created.ready([7]);
    expect(created.ready([7])).toBeUndefined();
    pass(60_000);
    await created.ready([7]);
    expect(asked).toEqual([[7], [7]]);
  });

  it('that nobody knows cost a read now and then: each time they rest twice as long, up to some hours', async () => {
    const { created, asked, pass } = open(new Map([[8, OLD]]));
    // A page that shows them is looked at every minute for a day.
    for (let minute = 0; minute < 1_440; minute += 1) {
      await created.ready([7, 8]);
      pass(60_000);
    }
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.length).toBeLessThan(14);
    expect(asked.slice(1).every((slots) => slots.length === 1 && slots[0] === 7)).toBe(true);
  });

  it('are told once somebody has written them', async () => {
    const stored = new Map<number, Validator>();
    const { created, nameAt, pass } = open(stored);
    for (let minute = 0; minute < 100; minute += 1) {
      await created.ready([7]);
      pass(60_000);
    }
    stored.set(7, OLD);
    pass(6 * 3_600_000);
    await created.ready([7]);
    expect(nameAt(7)).toBe('Old');
  });

  it('stay known when their epoch is in memory no more', () => {
    const { nameAt, tell } = open(new Map());
    expect(nameAt(4_000)).toBe('Now');
    tell(undefined);
    expect([nameAt(4_000), nameAt(4_001)]).toEqual(['Now', undefined]);
  });

  it('are told as they are known now while their epoch is in memory', () => {
    const { nameAt, tell } = open(new Map());
    expect(nameAt(4_000)).toBe('Now');
    tell(scheduleOf([validatorOf(0, { name: 'Renamed' })], [0, 0]));
    expect(nameAt(4_000)).toBe('Renamed');
  });

  it('are left out while the store does not tell them, and asked for again some seconds later', async () => {
    const { created, asked, fail, pass, nameAt } = open(
      new Map([
        [7, OLD],
        [8, OLD],
      ]),
    );
    fail(new Error('away'));
    expect(await created.ready([7])).toBe(false);
    fail(undefined);
    expect(await created.ready([7])).toBe(false);
    expect(await created.ready([7, 8])).toBe(false);
    expect([nameAt(7), nameAt(8)]).toEqual([undefined, 'Old']);
    pass(5_000);
    expect(await created.ready([7, 8])).toBe(true);
    expect(nameAt(7)).toBe('Old');
    expect(asked).toEqual([[7], [8], [7]]);
  });

  it('are asked for again as soon as one is shown whose read came to nothing', async () => {
    const { created, fail, pass, nameAt } = open(new Map([[7, OLD]]));
    fail(new Error('away'));
    await created.ready([7]);
    fail(undefined);
    // The store rests for some seconds.
    expect(nameAt(7)).toBeUndefined();
    await setImmediate();
    expect(nameAt(7)).toBeUndefined();
    pass(5_000);
    expect(nameAt(7)).toBeUndefined();
    await setImmediate();
    expect(nameAt(7)).toBe('Old');
  });

  it('are asked for at once where it was the asker who left', async () => {
    const { created, fail, asked, nameAt } = open(new Map([[7, OLD]]));
    fail(new ReadFault('abandoned', 'gone'));
    expect(await created.ready([7])).toBe(false);
    fail(undefined);
    expect(await created.ready([7])).toBe(true);
    expect([asked.length, nameAt(7)]).toEqual([2, 'Old']);
  });
});
