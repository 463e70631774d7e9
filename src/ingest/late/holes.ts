import { type Coverage, missingRanges, newestSlot, type SlotRange } from '../../store/clickhouse/coverage.ts';
import type { HoleFigures } from '../report/stats.ts';

/**
 * Slots that are missing between the first and the newest stored one, and which of them to ask for next. Pure state:
 * the time is told.
 *
 * A block closes the slots from behind its parent up to its own, so a skipped slot is no hole, and a hole is known the
 * moment its next block is stored.
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
  /** Parts of a range that are not put off now. */
  unanswered(range: SlotRange, now: number): readonly SlotRange[];
  figures(now: number): Omit<HoleFigures, 'filling'>;
  /**
   * The sentence that a person should read; undefined when all is well, or still being seen to. `nowhere` is the reason
   * why nobody can be asked, if there is one.
   */
  trouble(now: number, nowhere: string | undefined): string | undefined;
}

export interface HoleLimits {
  /** Slots asked for at once. */
  readonly chunkSlots: number;
  /**
   * Slots behind the newest within which holes are filled on their own; older ones are left to `mintscope backfill`.
   */
  readonly reachSlots: number;
  /** Age of a hole that is an alarm. */
  readonly alarmMs: number;
  /** Times that nobody could give slots before that is an alarm, whatever their age. */
  readonly hopelessTries: number;
  /** Milliseconds before slots that nobody could give are asked for again: first, and at most. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /**
   * Milliseconds to wait at least for each slot that is put off: slots that cannot be had must not take the node's
   * calls from others.
   */
  readonly retryMsPerSlot: number;
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
  retryMsPerSlot: 50,
};

/** Ranges put off that are remembered; beyond it one joins its nearest neighbour, and is asked for when that is. */
const MAX_PUT_OFF = 1_000;
/** Reasons that one alarm names. */
const MAX_NAMED_REASONS = 5;

interface Hole extends SlotRange {
  readonly since: number;
}

interface PutOff extends SlotRange {
  readonly reason: string;
  readonly until: number;
  readonly tries: number;
}

export function createHoles(limits: Partial<HoleLimits> = {}): Holes {
  const { chunkSlots, reachSlots, alarmMs, hopelessTries, ...retry } = { ...DEFAULT_LIMITS, ...limits };
  let holes: readonly Hole[] = [];
  /** In ascending order, without overlaps. */
  let putOff: readonly PutOff[] = [];
  let newest = 0;
  let filledSlots = 0;

  const isReached = (range: SlotRange) => range.last >= newest - reachSlots;

  const closed = (now: number) => putOff.filter(({ until }) => until > now);

  return {
    update(coverage, now) {
      newest = newestSlot(coverage);
      const [oldest] = coverage;
      const found = oldest === undefined ? [] : missingRanges(coverage, { first: oldest.first, last: newest });
      const before = countSlots(holes);
      let remaining = 0;
      const next = Array.from(matched(found, holes), ([range, known]) => {
        remaining += countShared(range, known);
        const since = now - (newest - range.last) * SLOT_MS;
        return { ...range, since: known.length === 0 ? since : oldestOf(known) };
      });
      filledSlots += before - remaining;
      holes = next;
      putOff = [...matched(putOff, found)].flatMap(([range, open]) => (open.length === 0 ? [] : [range]));
    },
    next(now) {
      for (const [hole, notNow] of matched(holes, closed(now))) {
        if (!isReached(hole)) continue;
        const within = { first: Math.max(hole.first, newest - reachSlots), last: hole.last };
        const [asked] = missingRanges(notNow, within);
        if (asked !== undefined)
          return { first: asked.first, last: Math.min(asked.last, asked.first + chunkSlots - 1) };
      }
      return undefined;
    },
    unavailable(range, reason, now) {
      const tries = putOff.reduce((most, each) => (overlaps(each, range) ? Math.max(most, each.tries) : most), 0) + 1;
      // Only what was asked for: what was put off with it may be had by now, and is asked for in its own turn.
      const others = putOff.flatMap((each) => missingRanges([range], each).map((part) => ({ ...each, ...part })));
      const slots = countSlots([...others, range]);
      const delayMs = Math.min(retry.maxRetryMs, retry.retryMs * 2 ** (tries - 1));
      const until = now + Math.max(delayMs, slots * retry.retryMsPerSlot);
      // A long hole is asked for in chunks: neighbours that stand alike are remembered as one.
      const isJoined = (each: PutOff) => touches(each, range) && each.reason === reason && each.tries === tries;
      const added = others
        .filter(isJoined)
        .reduce(joined, { first: range.first, last: range.last, reason, until, tries });
      const all = [...others.filter((each) => !isJoined(each)), added].sort((a, b) => a.first - b.first);
      putOff = all.length > MAX_PUT_OFF ? withoutNarrowestGap(all) : all;
    },
    unanswered: (range, now) => missingRanges(closed(now), range),
    figures(now) {
      const [oldest] = holes;
      const oldestFigures =
        oldest === undefined ? {} : { oldestSlot: oldest.first, oldestAgeMs: Math.max(0, now - oldestOf(holes)) };
      let unavailableSlots = 0;
      for (const [hole, ranges] of matched(holes, putOff)) unavailableSlots += countShared(hole, ranges);
      return {
        count: holes.length,
        slots: countSlots(holes),
        ...oldestFigures,
        filledSlots,
        unavailableSlots,
      };
    },
    trouble(now, nowhere) {
      const isTrouble = (hole: Hole, asked: readonly PutOff[]) =>
        nowhere !== undefined || now - hole.since >= alarmMs || asked.some(({ tries }) => tries >= hopelessTries);
      const old = [...matched(holes, putOff)].flatMap(([hole, asked]) => (isTrouble(hole, asked) ? [hole] : []));
      const [oldest] = old;
      if (oldest === undefined) return undefined;
      const missing = `${countSlots(old)} slots are missing, the oldest from ${oldest.first} to ${oldest.last}`;
      if (!old.some(isReached)) {
        return `${missing}: too far back to be filled on their own, run mintscope backfill --from ${oldest.first} --to ${oldest.last}`;
      }
      const reasons =
        nowhere === undefined
          ? [...new Set(putOff.map(({ reason }) => reason))].slice(0, MAX_NAMED_REASONS)
          : [nowhere];
      return reasons.length === 0 ? `${missing}, and are being filled` : `${missing}: ${reasons.join('; ')}`;
    },
  };
}

/** Each range with those of the others that it overlaps: all of them in ascending order, neither with overlaps of its own. */
function* matched<R extends SlotRange, O extends SlotRange>(
  ranges: readonly R[],
  others: readonly O[],
): Generator<readonly [R, readonly O[]]> {
  let start = 0;
  for (const range of ranges) {
    while (start < others.length && others[start]!.last < range.first) start += 1;
    let end = start;
    while (end < others.length && others[end]!.first <= range.last) end += 1;
    yield [range, others.slice(start, end)];
  }
}

function overlaps(a: SlotRange, b: SlotRange): boolean {
  return a.first <= b.last && b.first <= a.last;
}

function touches(a: SlotRange, b: SlotRange): boolean {
  return a.last + 1 === b.first || b.last + 1 === a.first;
}

/** Both, and what lies between them. The reason is that of the first. */
function joined(a: PutOff, b: PutOff): PutOff {
  return {
    first: Math.min(a.first, b.first),
    last: Math.max(a.last, b.last),
    reason: a.reason,
    until: Math.max(a.until, b.until),
    tries: Math.max(a.tries, b.tries),
  };
}

/** The two that lie nearest to each other as one. */
function withoutNarrowestGap(ranges: readonly PutOff[]): PutOff[] {
  let place = 1;
  const gap = (at: number) => ranges[at]!.first - ranges[at - 1]!.last;
  for (let at = 2; at < ranges.length; at += 1) if (gap(at) < gap(place)) place = at;
  return [...ranges.slice(0, place - 1), joined(ranges[place - 1]!, ranges[place]!), ...ranges.slice(place + 1)];
}

function oldestOf(holes: readonly Hole[]): number {
  return holes.reduce((oldest, { since }) => Math.min(oldest, since), Number.POSITIVE_INFINITY);
}

/** Slots of a range that others, without overlaps of their own, have too. */
function countShared(range: SlotRange, others: readonly SlotRange[]): number {
  return others.reduce(
    (sum, { first, last }) => sum + Math.min(last, range.last) - Math.max(first, range.first) + 1,
    0,
  );
}

function countSlots(ranges: readonly SlotRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}
