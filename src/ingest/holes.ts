import { type Coverage, missingRanges, newestSlot, type SlotRange } from '../store/clickhouse/coverage.ts';
import type { HoleFigures } from './stats.ts';

/**
 * What is missing between the first and the newest stored slot, and what to ask
 * for next. Pure state: the time is told.
 *
 * A block closes the slots from behind its parent up to its own, so a skipped
 * slot is no hole, and a hole is known the moment its next block is stored.
 */
export interface Holes {
  /** Looks at what is stored now. `now` is in Unix milliseconds, as everywhere here. */
  update(coverage: Coverage, now: number): void;
  /**
   * The slots to ask for next, of the oldest hole that is within reach and not
   * put off; undefined when there is nothing to ask for.
   */
  next(now: number): SlotRange | undefined;
  /** Nobody could give these slots: they are put off, each time for longer. */
  unavailable(range: SlotRange, reason: string, now: number): void;
  /** What of some slots is not put off now. */
  unanswered(range: SlotRange, now: number): readonly SlotRange[];
  figures(now: number): Omit<HoleFigures, 'filling'>;
  /**
   * What a person should know; undefined when all is well, or still being seen to.
   * `nowhere` says why nobody can be asked, where that is so.
   */
  trouble(now: number, nowhere: string | undefined): string | undefined;
}

export interface HoleLimits {
  /** Slots asked for at once. */
  readonly chunkSlots: number;
  /** How far behind the newest slot holes are filled on their own; older ones are left to `mintscope backfill`. */
  readonly reachSlots: number;
  /** Age of a hole that is an alarm. */
  readonly alarmMs: number;
  /** Times that nobody could give slots before that is an alarm, whatever their age. */
  readonly hopelessTries: number;
  /** Before what nobody could give is asked for again: first, and at most. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
}

/** A slot's time, for the age of holes that an earlier run left. */
const SLOT_MS = 400;
const DAY_SLOTS = 216_000;

const DEFAULT_LIMITS: HoleLimits = {
  chunkSlots: 64,
  reachSlots: 2 * DAY_SLOTS,
  alarmMs: 300_000,
  hopelessTries: 3,
  retryMs: 30_000,
  maxRetryMs: 1_800_000,
};

/** Ranges put off that are remembered, neighbours as one; beyond it the first are asked for again sooner. */
const MAX_PUT_OFF = 1_000;

interface Hole extends SlotRange {
  readonly since: number;
}

interface PutOff extends SlotRange {
  readonly reason: string;
  readonly until: number;
  readonly tries: number;
}

export function createHoles(limits: Partial<HoleLimits> = {}): Holes {
  const { chunkSlots, reachSlots, alarmMs, hopelessTries, retryMs, maxRetryMs } = { ...DEFAULT_LIMITS, ...limits };
  let holes: readonly Hole[] = [];
  let putOff: readonly PutOff[] = [];
  let newest = 0;
  let filledSlots = 0;

  const isReached = (range: SlotRange) => range.last >= newest - reachSlots;

  function unanswered(range: SlotRange, now: number): readonly SlotRange[] {
    const closed = putOff.filter(({ until }) => until > now).sort((a, b) => a.first - b.first);
    return missingRanges(closed, range);
  }

  return {
    update(coverage, now) {
      newest = newestSlot(coverage);
      const [oldest] = coverage;
      const found = oldest === undefined ? [] : missingRanges(coverage, { first: oldest.first, last: newest });
      const before = countSlots(holes);
      let remaining = 0;
      const next = found.map((range) => {
        const known = holes.filter((hole) => overlaps(hole, range));
        for (const hole of known) remaining += Math.min(hole.last, range.last) - Math.max(hole.first, range.first) + 1;
        const since = now - (newest - range.last) * SLOT_MS;
        return { ...range, since: known.length === 0 ? since : Math.min(...known.map((hole) => hole.since)) };
      });
      filledSlots += before - remaining;
      holes = next;
      putOff = putOff.filter((range) => found.some((hole) => overlaps(hole, range)));
    },
    next(now) {
      for (const hole of holes) {
        if (!isReached(hole)) continue;
        const within = { first: Math.max(hole.first, newest - reachSlots), last: hole.last };
        const [asked] = unanswered(within, now);
        if (asked !== undefined)
          return { first: asked.first, last: Math.min(asked.last, asked.first + chunkSlots - 1) };
      }
      return undefined;
    },
    unavailable(range, reason, now) {
      const again = putOff.filter((each) => overlaps(each, range));
      const tries = Math.max(0, ...again.map((each) => each.tries)) + 1;
      const until = now + Math.min(maxRetryMs, retryMs * 2 ** (tries - 1));
      // A long hole is asked for in chunks: neighbours for the same reason are put off together.
      const isJoined = (each: PutOff) => overlaps(each, range) || (touches(each, range) && each.reason === reason);
      const joined = putOff.filter(isJoined);
      const first = Math.min(range.first, ...joined.map((each) => each.first));
      const last = Math.max(range.last, ...joined.map((each) => each.last));
      const others = putOff.filter((each) => !isJoined(each));
      putOff = [...others, { first, last, reason, until, tries }].slice(-MAX_PUT_OFF);
    },
    unanswered,
    figures(now) {
      const [oldest] = holes;
      const oldestFigures =
        oldest === undefined
          ? {}
          : { oldestSlot: oldest.first, oldestAgeMs: Math.max(0, now - Math.min(...holes.map(({ since }) => since))) };
      return {
        count: holes.length,
        slots: countSlots(holes),
        ...oldestFigures,
        filledSlots,
        unavailableSlots: countSlots(putOff),
      };
    },
    trouble(now, nowhere) {
      const isHopeless = (hole: Hole) =>
        nowhere !== undefined || putOff.some((range) => range.tries >= hopelessTries && overlaps(range, hole));
      const old = holes.filter((hole) => now - hole.since >= alarmMs || isHopeless(hole));
      const [oldest] = old;
      if (oldest === undefined) return undefined;
      const missing = `${countSlots(old)} slots are missing, the oldest from ${oldest.first} to ${oldest.last}`;
      if (!old.some(isReached)) {
        return `${missing}: too far back to be filled on their own, run mintscope backfill --from ${oldest.first} --to ${oldest.last}`;
      }
      const reasons = nowhere === undefined ? [...new Set(putOff.map(({ reason }) => reason))] : [nowhere];
      return reasons.length === 0 ? `${missing}, and are being filled` : `${missing}: ${reasons.join('; ')}`;
    },
  };
}

function overlaps(a: SlotRange, b: SlotRange): boolean {
  return a.first <= b.last && b.first <= a.last;
}

function touches(a: SlotRange, b: SlotRange): boolean {
  return a.last + 1 === b.first || b.last + 1 === a.first;
}

function countSlots(ranges: readonly SlotRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}
