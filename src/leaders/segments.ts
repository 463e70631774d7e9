import type { EpochSchedule, Validator } from './epoch-schedule.ts';
import type { SlotFigures } from './slot-figures.ts';

/** Slots in a row that one leader is given. */
export const WINDOW_SLOTS = 4;

/** Slots that one leader has in a row, four of them but where the epoch ends. */
export interface LeaderWindow {
  readonly startSlot: number;
  /** Included. */
  readonly endSlot: number;
  readonly leader: Validator;
}

/** Sums over the slots of a window that are known. */
export interface WindowSums {
  readonly swaps: number;
  /** Lamports. */
  readonly priorityFees: bigint;
  readonly tips: bigint;
  readonly fees: bigint;
  readonly vol: bigint;
  /** Slots without a block. */
  readonly skipped: number;
  /** Slots up to now of which it is not known whether there is a block: sums are without them. */
  readonly unknown: number;
}

export interface Segment extends LeaderWindow {
  readonly state: 'past' | 'active' | 'future';
  /** Undefined of what is still to come. */
  readonly sums: WindowSums | undefined;
}

/** True when the slot is of the epoch. */
export function isOfEpoch({ firstSlot, slots }: EpochSchedule, slot: number): boolean {
  return slot >= firstSlot && slot < firstSlot + slots;
}

/**
 * The leader windows of the epoch that slots from `first` to `last` touch, whole, in order: the first may begin before
 * `first` and the last end behind `last`, but none beyond the epoch.
 */
export function windowsOf(schedule: EpochSchedule, first: number, last: number): LeaderWindow[] {
  const { firstSlot, slots, leaders, validators } = schedule;
  const from = Math.max(first - firstSlot, 0);
  const to = Math.min(last - firstSlot, slots - 1);
  const windows: LeaderWindow[] = [];
  for (let start = from - (from % WINDOW_SLOTS); start <= to; ) {
    const boundary = Math.min(start - (start % WINDOW_SLOTS) + WINDOW_SLOTS, slots);
    let end = start + 1;
    while (end < boundary && leaders[end] === leaders[start]) end += 1;
    const leader = validators[leaders[start]!];
    if (leader !== undefined) windows.push({ startSlot: firstSlot + start, endSlot: firstSlot + end - 1, leader });
    start = end;
  }
  return windows;
}

export interface SegmentsAsked {
  readonly currentSlot: number;
  /** Slots before the current one. */
  readonly past: number;
  /** Slots behind the current one. */
  readonly future: number;
}

/** The windows around the current slot, with the sums of those that have begun. `figures`: of the slots up to the current one. */
export function segmentsOf(
  schedule: EpochSchedule,
  { currentSlot, past, future }: SegmentsAsked,
  figures: (first: number, last: number) => readonly SlotFigures[],
): Segment[] {
  const windows = windowsOf(schedule, currentSlot - past, currentSlot + future);
  const first = windows[0]?.startSlot ?? currentSlot;
  const bySlot = new Map(figures(first, currentSlot).map((each) => [each.slot, each]));
  return windows.map((window) => {
    const { startSlot, endSlot } = window;
    if (startSlot > currentSlot) return { ...window, state: 'future', sums: undefined };
    const state = endSlot < currentSlot ? 'past' : 'active';
    return { ...window, state, sums: sumsOf(bySlot, startSlot, Math.min(endSlot, currentSlot)) };
  });
}

function sumsOf(bySlot: ReadonlyMap<number, SlotFigures>, first: number, last: number): WindowSums {
  const sums = { swaps: 0, priorityFees: 0n, tips: 0n, fees: 0n, vol: 0n, skipped: 0, unknown: 0 };
  for (let slot = first; slot <= last; slot += 1) {
    const figures = bySlot.get(slot);
    if (figures === undefined || figures.state === 'unknown') sums.unknown += 1;
    else if (figures.state === 'skipped') sums.skipped += 1;
    else {
      sums.swaps += figures.swaps;
      sums.priorityFees += figures.priorityFees;
      sums.tips += figures.tips;
      sums.fees += figures.fees;
      sums.vol += figures.vol;
    }
  }
  return sums;
}
