/** Slots from first to last, both included. */
export interface SlotRange {
  readonly first: number;
  readonly last: number;
}

/**
 * A set of slots as ranges in ascending order that neither overlap nor touch.
 * Holes are what they look like: slots that nobody has told us about yet.
 */
export type Coverage = readonly SlotRange[];

/** The union of any ranges, in any order. */
export function mergeRanges(ranges: Iterable<SlotRange>): Coverage {
  const merged: { first: number; last: number }[] = [];
  for (const range of [...ranges].sort((a, b) => a.first - b.first)) {
    const previous = merged.at(-1);
    if (previous !== undefined && range.first <= previous.last + 1) previous.last = Math.max(previous.last, range.last);
    else merged.push({ ...range });
  }
  return merged;
}

export function addRange(coverage: Coverage, added: SlotRange): Coverage {
  const newest = coverage.at(-1);
  // The tip's own case, a block after the other, without looking at the rest.
  if (newest !== undefined && added.first > newest.first && added.first <= newest.last + 1) {
    return [...coverage.slice(0, -1), { first: newest.first, last: Math.max(newest.last, added.last) }];
  }
  return mergeRanges([...coverage, added]);
}

/** True when every slot of the range is covered. */
export function coversRange(coverage: Coverage, { first, last }: SlotRange): boolean {
  const range = findRange(coverage, first);
  return range !== undefined && range.last >= last;
}

/** The range that holds a slot. */
export function findRange(coverage: Coverage, slot: number): SlotRange | undefined {
  let low = 0;
  let high = coverage.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = coverage[middle]!;
    if (slot < range.first) high = middle - 1;
    else if (slot > range.last) low = middle + 1;
    else return range;
  }
  return undefined;
}

/** Parts of a range that are not covered. */
export function missingRanges(coverage: Coverage, { first, last }: SlotRange): SlotRange[] {
  const missing: SlotRange[] = [];
  let next = first;
  for (const range of coverage) {
    if (range.last < next) continue;
    if (range.first > last) break;
    if (range.first > next) missing.push({ first: next, last: range.first - 1 });
    next = range.last + 1;
  }
  if (next <= last) missing.push({ first: next, last });
  return missing;
}

/** Newest slot that is covered, 0 when none is. Older holes do not hold it back: they are filled on their own. */
export function newestSlot(coverage: Coverage): number {
  return coverage.at(-1)?.last ?? 0;
}
