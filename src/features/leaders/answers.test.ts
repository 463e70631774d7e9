import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { scheduleOf, validatorOf } from '../../../test/support/leader-schedules.ts';
import { slotOfBody } from '../../contract/stamp.ts';
import { createFeed } from '../../feed/in-process.ts';
import { createLogger } from '../../kernel/log.ts';
import type { EpochSchedule } from '../../leaders/epoch-schedule.ts';
import { createKnownLeaders } from '../../leaders/known-leaders.ts';
import type { SlotFigures } from '../../leaders/slot-figures.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { encodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import { BLOCKS } from '../../store/clickhouse/schema/tables.ts';
import { createLeaderAnswers } from './answers.ts';
import { getLeaders, type LeaderSchedule } from './contract.ts';

const START = 1_790_000_000;
const log = createLogger('silent');
const NAMED = validatorOf(0, {
  ...{ name: 'One\u202e', version: '4.0.3', clientId: 1, commission: 7, isDelinquent: true },
  ...{ stake: 2n ** 63n, gossipIp: '198.18.0.1' },
});
const BARE = validatorOf(1);
const PLACE = { country: 'DE', city: 'Frankfurt' };

/** Blocks of four to the second. */
function block(slot: number): RowBatch {
  const none = { blockhash: '', parent_slot: slot - 1, transactions: 0, failed: 0, votes: 0, swaps: 0, attempts: 0 };
  const row = { slot, time: START + Math.floor(slot / 4), ...none, fees: 0n, priority_fees: 0n, tips: 0n };
  return {
    firstSlot: slot,
    lastSlot: slot,
    closesSlots: true,
    tables: new Map([['blocks', encodeRows(BLOCKS, [row])]]),
  };
}

const figuresOf = (slot: number): SlotFigures => ({
  ...{ slot, state: slot % 5 === 0 ? 'skipped' : 'seen', swaps: slot % 5 === 0 ? 0 : 2 },
  ...{ priorityFees: slot % 5 === 0 ? 0n : 10n, tips: slot % 5 === 0 ? 0n : 20n, fees: 0n, vol: 2n ** 60n },
});

function open(schedule: EpochSchedule | undefined, slots: readonly number[]) {
  const feed = createFeed({ maxHeldBatches: 1_000 });
  let made = 0;
  let told = schedule;
  let version = 0;
  const answers = createLeaderAnswers({
    client: {} as StoreClient,
    feed,
    log,
    leaders: { scheduleAt: () => told },
    economics: {
      economicsOf(first, last) {
        made += 1;
        return Array.from({ length: last - first + 1 }, (_, index) => figuresOf(first + index));
      },
      get version() {
        return version;
      },
    },
    known: createKnownLeaders({ placeOf: (ip) => (ip === '198.18.0.1' ? PLACE : undefined) }),
  });
  for (const slot of slots) feed.publish(block(slot));
  return {
    ...{ answers, feed },
    made: () => made,
    readFigures() {
      version += 1;
    },
    tell(next: EpochSchedule | undefined) {
      told = next;
    },
    ask(past = 40, future = 160) {
      const body = answers.schedule(past, future) as Buffer;
      const schedule = JSON.parse(body.toString()) as LeaderSchedule;
      expect(answerFaults(getLeaders, schedule)).toEqual([]);
      return { body, schedule };
    },
  };
}

const SCHEDULE = scheduleOf([NAMED, BARE], [0, 1, 0, 1, 1, 0]);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('the leader schedule', () => {
  it('tells past, active and future segments with every field that each has', () => {
    const { schedule } = open(SCHEDULE, range(4_001, 4_009)).ask(3, 4);
    const named = {
      ...{ identity: NAMED.identity, name: 'One', client: 'Jito', version: '4.0.3', relay_flag: true },
      ...{ stake: '9223372036854775808', country: 'DE', city: 'Frankfurt', commission: 7, delinquent: true },
    };
    const bare = {
      ...{ identity: BARE.identity, client: 'unknown', relay_flag: false, stake: '1000' },
      ...{ commission: 5, delinquent: false },
    };
    expect(schedule).toEqual({
      ...{ current_slot: 4_009, as_of: '2026-09-21T14:30:02Z' },
      ...{ epoch: 7, slot_index: 9, slots_in_epoch: 24 },
      segments: [
        {
          ...{ start_slot: 4_004, end_slot: 4_007, slots: 4, state: 'past', ...bare },
          ...{ swaps: 6, priority_fees: '30', tips: '60', fees: '0', vol: String(3n * 2n ** 60n), skipped: 1 },
        },
        {
          ...{ start_slot: 4_008, end_slot: 4_011, slots: 4, state: 'active', ...named },
          ...{ swaps: 4, priority_fees: '20', tips: '40', fees: '0', vol: String(2n * 2n ** 60n), remaining_slots: 2 },
        },
        {
          ...{ start_slot: 4_012, end_slot: 4_015, slots: 4, state: 'future', ...bare },
          ...{ priority_fees: '0', tips: '0', fees: '0', eta_slots: 3 },
        },
      ],
      slot_fees: [4_004, 4_006, 4_007, 4_008, 4_009].map((slot) => ({
        ...{ slot, identity: slot < 4_008 ? BARE.identity : NAMED.identity, swaps: 2 },
        ...{ priority_fees: '10', tips: '20' },
      })),
    });
  });

  it('is of the newest block, and its bytes say so', () => {
    const { ask } = open(SCHEDULE, [4_003]);
    expect(slotOfBody(ask().body)).toBe(4_003);
  });

  it('has no length of a slot while few blocks are known', () => {
    const { schedule } = open(SCHEDULE, [4_003]).ask();
    expect(schedule).not.toHaveProperty('slot_ms');
    expect(schedule.segments.at(-1)!.end_slot).toBe(4_023);
  });

  it('tells the length of a slot once there are enough blocks', () => {
    const { schedule } = open(
      scheduleOf(
        [NAMED],
        Array.from({ length: 40 }, () => 0),
      ),
      range(4_001, 4_150),
    ).ask();
    expect(Math.abs(schedule.slot_ms! - 250)).toBeLessThan(5);
  });

  it('is made once for all who ask the same of one slot, and anew with each block', () => {
    const { ask, feed, made } = open(SCHEDULE, range(4_001, 4_006));
    const { body } = ask();
    expect(ask().body).toBe(body);
    expect(made()).toBe(1);
    ask(40, 161);
    expect(made()).toBe(2);
    feed.publish(block(4_007));
    expect(ask().schedule.current_slot).toBe(4_007);
    feed.withdraw(4_007);
    expect(ask().schedule).toMatchObject({ current_slot: 4_006, slot_index: 6 });
  });

  it('is made anew when rows came late, and when validators are told anew', () => {
    const { ask, feed, made, tell } = open(SCHEDULE, [4_001, 4_002]);
    ask();
    feed.changed([NAMED.identity], { first: 4_001, last: 4_001 });
    ask();
    expect(made()).toBe(2);
    tell(scheduleOf([BARE, NAMED], [0, 1, 0]));
    expect(ask().schedule.segments[0]!.identity).toBe(BARE.identity);
  });

  it('is made anew once figures of before the start were read, though no block came', () => {
    const { ask, made, readFigures } = open(SCHEDULE, [4_001, 4_002]);
    const { body } = ask();
    readFigures();
    expect(ask().body).not.toBe(body);
    ask();
    expect(made()).toBe(2);
  });

  it.each([
    ['before the first block', SCHEDULE, []],
    ['without the schedule of the epoch', undefined, [4_001]],
    ['while there is that of the epoch before alone', SCHEDULE, [4_024]],
  ])('is refused as warming up %s', (_when, schedule, slots) => {
    const { answers } = open(schedule, slots);
    const refused = expect.objectContaining({ code: 'warming_up', retryAfter: 5 });
    expect(() => answers.schedule(40, 160)).toThrow(refused);
    expect(() => answers.distribution('city')).toThrow(refused);
  });
});

describe('the distribution', () => {
  it('is the same bytes through the epoch, until validators are told anew', () => {
    const { answers, feed, tell } = open(SCHEDULE, [4_001]);
    const body = answers.distribution('client');
    feed.publish(block(4_002));
    expect(answers.distribution('client')).toBe(body);
    expect(answers.distribution('city')).not.toBe(body);
    expect(JSON.parse(body.toString())).toMatchObject({ leader: 'Jito', leader_pct: 50, unknown_slots: 12 });
    tell(scheduleOf([NAMED], [0, 0, 0, 0, 0, 0]));
    expect(JSON.parse(answers.distribution('client').toString())).toMatchObject({ leader_pct: 100 });
  });
});
