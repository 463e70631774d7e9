/** Which steps of a history are told, pure. Times are Unix seconds. */

/** Times of which blocks are missing, both ends included. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Times of the first and the last block of slots that are whole. */
export interface RangeTimes {
  readonly from: number;
  readonly to: number;
}

/** What is missing before the ranges and between them. `ranges` in order. */
export function gapsOf(ranges: readonly RangeTimes[]): Gap[] {
  let before = Number.NEGATIVE_INFINITY;
  return ranges.map(({ from, to }) => {
    const gap = { from: before, to: from };
    before = to;
    return gap;
  });
}

export interface StepSpan {
  /** Beginning of the first step. */
  readonly from: number;
  /** Steps begin before it. */
  readonly to: number;
  readonly step: number;
}

/** Number of the steps of a span. */
export function stepCount({ from, to, step }: StepSpan): number {
  return Math.max(0, Math.ceil((to - from) / step));
}

/**
 * Beginnings of the steps of which everything is known, up to the one that is running at `now`, which is told as far as it
 * has come. `since`: from when on everything is counted.
 */
export function knownSteps(
  { from, to, step }: StepSpan,
  { gaps, since, now }: { readonly gaps: readonly Gap[]; readonly since: number; readonly now: number },
): number[] {
  const steps: number[] = [];
  for (let start = Math.max(0, from); start < to && start <= now; start += step) {
    const isBroken = gaps.some((gap) => start <= gap.to && start + step > gap.from);
    if (start >= since && !isBroken) steps.push(start);
  }
  return steps;
}
