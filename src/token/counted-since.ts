import type { UnbrokenSlots } from './history.ts';

export interface CountedMinutes {
  /** Unix seconds since when swaps are kept. */
  readonly keptSince: number;
  /** Unix seconds at which the first bucket that counts them begins, 0 without any, and how long a bucket is. */
  readonly first: number;
  readonly width: number;
}

/**
 * Since when all swaps are in the buckets of a rollup, Unix seconds; undefined while that is not known. Rollups are kept
 * for ever, but those of an older store were made of the swaps that it still had.
 */
export function countedSince(
  slots: UnbrokenSlots | undefined,
  { keptSince, first, width }: CountedMinutes,
): number | undefined {
  const begun = slots?.since;
  if (begun === undefined || begun >= keptSince) return begun;
  return Math.max(begun, first === 0 ? keptSince : Math.min(keptSince, first + width));
}
