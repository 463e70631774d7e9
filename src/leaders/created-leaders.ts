import { createBoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/clock.ts';
import { isOfStore } from '../store/reads/read-fault.ts';
import { readForService } from '../store/reads/reader.ts';
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
/**
 * Slots that have no leader, so far: as many are remembered, for so long, and twice as long with every read that finds none
 * again. Leaders of new epochs are in memory; what the store lacks of an old one, somebody else would have to write.
 */
const MISSING_MS = { least: 60_000, most: 6 * 3_600_000 };
/** So long the store is not asked again for slots that it could not tell of. */
const FAILED_MS = 5_000;
const MENDED_TOGETHER = 1_000;

/** Leaders of slots of any age: of memory first, and of the store when they are asked for. */
export function createCreatedLeaders({ leaders, known, clock }: CreatedLeadersDeps): CreatedLeaders {
  const found = createBoundedMap<number, Validator>(KEPT_SLOTS);
  /** Until when a slot is not asked for again, monotonic milliseconds, and for how long it was let alone. */
  const missing = createBoundedMap<number, { readonly until: number; readonly restMs: number }>(KEPT_SLOTS);
  /** The first, of slots that may well have one. */
  const failed = createBoundedMap<number, number>(KEPT_SLOTS);

  let isMending = false;

  function leaderAt(slot: number): Validator | undefined {
    const current = leaders.leaderAt(slot);
    // Its epoch will not be in memory for ever.
    if (current !== undefined && found.peek(slot) !== current) found.set(slot, current);
    return current ?? found.get(slot);
  }

  async function read(slots: readonly number[]): Promise<boolean> {
    let told: Awaited<ReturnType<Leaders['leadersOf']>>;
    try {
      told = await leaders.leadersOf(slots);
    } catch (error) {
      // Whoever asks has an answer without it. Where they left, or may not read, the next one may well be told.
      const until = isOfStore(error) ? clock.elapsed() + FAILED_MS : 0;
      for (const slot of slots) failed.set(slot, until);
      return false;
    }
    for (const slot of slots) {
      failed.delete(slot);
      const leader = told.get(slot);
      if (leader === undefined) {
        const restMs = Math.min(MISSING_MS.most, 2 * (missing.peek(slot)?.restMs ?? MISSING_MS.least / 2));
        missing.set(slot, { until: clock.elapsed() + restMs, restMs });
      } else {
        missing.delete(slot);
        found.set(slot, leader);
      }
    }
    return true;
  }

  /** Rows that were made without a leader are kept: slots that failed are asked for again as soon as one is shown. */
  function mend(slot: number): void {
    const until = failed.peek(slot);
    if (isMending || until === undefined || until > clock.elapsed()) return;
    isMending = true;
    const slots = [...failed.keys()].slice(0, MENDED_TOGETHER);
    void readForService(() => read(slots)).finally(() => {
      isMending = false;
    });
  }

  return {
    at(slot) {
      const leader = leaderAt(slot);
      if (leader === undefined) mend(slot);
      return leader === undefined ? undefined : known(leader).shown;
    },
    ready(slots) {
      const now = clock.elapsed();
      const isMissing = (slot: number) => (missing.peek(slot)?.until ?? 0) > now;
      const unknown = new Set(slots.filter((slot) => leaderAt(slot) === undefined && !isMissing(slot)));
      if (unknown.size === 0) return undefined;
      const asked = [...unknown].filter((slot) => (failed.peek(slot) ?? 0) <= now);
      if (asked.length === 0) return Promise.resolve(false);
      return read(asked).then((isTold) => isTold && asked.length === unknown.size);
    },
    get changes() {
      return leaders.changes;
    },
  };
}
