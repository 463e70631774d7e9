/** Which steps of a history are told, pure. Times are Unix seconds. */

/** Times of which blocks are missing, both ends included. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Times of the first and the last blocks of slots that are whole. */
export interface RangeTimes {
  readonly from: number;
  /** The second of its times, in case that the first one contradicts what comes before. */
  readonly second?: number | undefined;
  readonly to: number;
}

/**
 * Where a range begins and ends by its first and its last blocks, some of each: no single one of them decides, nodes get
 * times wrong. It ends with the second of its last times, a block shorter and never longer than it is.
 */
export function edgesOf({ begin, end }: Readonly<Record<'begin' | 'end', readonly number[]>>): RangeTimes {
  const inOrder = (times: readonly number[]) => times.toSorted((a, b) => a - b);
  const [from, second] = inOrder(begin);
  const [latest, to = latest] = inOrder(end).reverse();
  return { from: from!, second, to: to! };
}

const EVERYTHING: Gap = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * What is missing before the ranges and between them. `ranges` in order of slots: one that tells later times than what
 * comes behind it, or than the time of the chain, ends there, or fills nothing at all.
 */
export function gapsOf(ranges: readonly RangeTimes[], now = Number.POSITIVE_INFINITY): Gap[] {
  const believed: { readonly from: number; readonly to: number }[] = [];
  let next = now;
  for (const [at, { from: first, second = first, to }] of [...ranges.entries()].reverse()) {
    const from = first < (ranges[at - 1]?.to ?? first) ? second : first;
    if (from > next) continue;
    believed.unshift({ from, to: Math.min(to, next) });
    next = from;
  }
  if (believed.length < Math.min(1, ranges.length)) return [EVERYTHING];
  let before = Number.NEGATIVE_INFINITY;
  return believed.map(({ from, to }) => {
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
