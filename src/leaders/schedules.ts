import type { EpochSchedule, Validator } from './epoch-schedule.ts';

/** Who leads which slot, of the epochs that are kept. */
export interface Leaders {
  /** The schedule of the slot's epoch, out of memory; undefined while there is none. */
  scheduleAt(slot: number): EpochSchedule | undefined;
  /** The leader of a slot, out of memory; undefined when it is not there. */
  leaderAt(slot: number): Validator | undefined;
  /** Leaders of several slots, of memory first and of the store behind it. Slots without one are not in the answer. */
  leadersOf(slots: readonly number[]): Promise<ReadonlyMap<number, Validator>>;
  /** Changes so far of what the schedules in memory say. */
  readonly changes: number;
}

/** Nobody is known to lead. */
export const NO_LEADERS: Leaders = {
  scheduleAt: () => undefined,
  leaderAt: () => undefined,
  leadersOf: async () => new Map(),
  changes: 0,
};
