/** Spread of measurements, as counts by upper bound. Plain data: it crosses threads. */
export interface HistogramFigures {
  /** Upper bounds, ascending; one more bucket without a bound follows them. */
  readonly bounds: readonly number[];
  /** Measurements in each bucket, not summed up. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

export interface Histogram {
  observe(value: number): void;
  figures(): HistogramFigures;
}

/** Of fixed buckets: what it holds does not grow. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  let count = 0;
  return {
    observe(value) {
      const at = bounds.findIndex((bound) => value <= bound);
      counts[at < 0 ? bounds.length : at]! += 1;
      sum += value;
      count += 1;
    },
    figures: () => ({ bounds, counts: [...counts], sum, count }),
  };
}

/**
 * The value below which a share of the measurements lies, 0 to 1, in proportion
 * within its bucket. Undefined without measurements; the last bound when it is
 * beyond all bounds.
 */
export function quantile({ bounds, counts, count }: HistogramFigures, share: number): number | undefined {
  if (count === 0) return undefined;
  let below = 0;
  for (const [at, bound] of bounds.entries()) {
    const here = counts[at]!;
    if (here > 0 && below + here >= share * count) {
      const from = bounds[at - 1] ?? 0;
      return from + ((bound - from) * (share * count - below)) / here;
    }
    below += here;
  }
  return bounds.at(-1);
}
