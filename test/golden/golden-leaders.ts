import type { EpochSchedule } from '../../src/leaders/epoch-schedule.ts';
import type { Leaders } from '../../src/leaders/schedules.ts';
import { scheduleOf, validatorOf } from '../support/leader-schedules.ts';

const SLOTS = 432_000;
const STAKE = 1_000_000_000_000_000n;

/** Some with everything that can be told of a validator, and some with little or nothing. */
const VALIDATORS = [
  { name: 'North Stake', version: '4.2.1', clientId: 1, gossipIp: '198.18.0.1', stake: 9n * STAKE },
  { name: 'Silent Nodes', version: '4.2.1', clientId: 6, gossipIp: '198.18.2.1', stake: 5n * STAKE },
  { name: 'Copper Labs', version: '0.913.40201', clientId: 2, gossipIp: '198.18.16.1', stake: 4n * STAKE },
  { version: '4.2.1', sharesTips: true, gossipIp: '198.18.17.1', stake: 3n * STAKE, isDelinquent: true },
  { name: 'Lunar Relay', clientId: 86, version: '0.1.0', gossipIp: '198.18.210.1', commission: 100 },
  {},
].map((told, number) => validatorOf(200 + number, told));

/** Who leads the epoch that a slot is in, always the same. */
export function goldenLeaders(slot: number): Leaders {
  const epoch = Math.floor(slot / SLOTS);
  const schedule: EpochSchedule = scheduleOf(VALIDATORS, [0, 1, 0, 2, 3, 1, 4, 0, 5, 2], {
    ...{ epoch, firstSlot: epoch * SLOTS, slots: SLOTS },
  });
  const scheduleAt = (at: number) => (Math.floor(at / SLOTS) === epoch ? schedule : undefined);
  const leaderAt = (at: number) =>
    scheduleAt(at) === undefined ? undefined : VALIDATORS[schedule.leaders[at - schedule.firstSlot]!];
  return {
    scheduleAt,
    leaderAt,
    changes: 1,
    leadersOf: async (slots) => new Map(slots.flatMap((at) => (leaderAt(at) ? [[at, leaderAt(at)!] as const] : []))),
  };
}
