import { createBoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CreatedLeaders } from '../token/created-leader.ts';
import type { Validator } from './epoch-schedule.ts';
import type { KnownLeaders } from './known-leaders.ts';
import type { Leaders } from './schedules.ts';

export interface CreatedLeadersDeps {
  readonly leaders: Leaders;
  readonly known: KnownLeaders;
  readonly clock: Pick<Clock, 'elapsed'>;
}

/** Slots whose leaders are remembered: more than there are tokens with rows in memory. */
const KEPT_SLOTS = 100_000;
/** Slots that have no leader, so far: as many are remembered, for so long. */
const MISSING_MS = 60_000;

/** Leaders of slots of any age: of memory first, and of the store when they are asked for. */
export function createCreatedLeaders({ leaders, known, clock }: CreatedLeadersDeps): CreatedLeaders {
  const found = createBoundedMap<number, Validator>(KEPT_SLOTS);
  /** Until when a slot is not asked for again, monotonic milliseconds. */
  const missing = createBoundedMap<number, number>(KEPT_SLOTS);

  function leaderAt(slot: number): Validator | undefined {
    const current = leaders.leaderAt(slot);
    // Its epoch will not be in memory for ever.
    if (current !== undefined && found.peek(slot) !== current) found.set(slot, current);
    return current ?? found.get(slot);
  }

  async function read(slots: readonly number[]): Promise<void> {
    const told = await leaders.leadersOf(slots);
    for (const slot of slots) {
      const leader = told.get(slot);
      if (leader === undefined) missing.set(slot, clock.elapsed() + MISSING_MS);
      else found.set(slot, leader);
    }
  }

  return {
    at(slot) {
      const leader = leaderAt(slot);
      return leader === undefined ? undefined : known(leader).shown;
    },
    ready(slots) {
      const now = clock.elapsed();
      const unknown = slots.filter((slot) => leaderAt(slot) === undefined && !((missing.peek(slot) ?? 0) > now));
      return unknown.length === 0 ? undefined : read([...new Set(unknown)]);
    },
    get changes() {
      return leaders.changes;
    },
  };
}
