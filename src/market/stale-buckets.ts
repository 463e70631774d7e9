import type { MarketWindows } from './market-windows.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
/** A bucket is read this long behind the last late slot of it: more of them come by the flush. */
const GATHER_MS = 3_000;
/** But this long behind the first one, though more come all the time. */
const MOST_GATHER_MS = 30_000;
/** Minutes that are read at once: a hundred thousand sums at mainnet's rate, and one pass of the store over their swaps. */
export const MINUTES_AT_ONCE = 15;

interface Touched {
  /** Monotonic milliseconds. */
  readonly first: number;
  last: number;
}

/** Buckets to be read again at once: minutes with nothing but stale ones between them, or one hour. */
export interface BucketRun {
  readonly width: typeof MINUTE_S | typeof HOUR_S;
  readonly since: number;
  readonly until: number;
}

/**
 * Minutes before the hour, and hours before the day, whose swaps have to be summed up again. The store looks through
 * millions of rows for each read, whatever it finds: so late slots of the same bucket are gathered.
 */
export class StaleBuckets {
  /** By start. */
  readonly #minutes = new Map<number, Touched>();
  readonly #hours = new Map<number, Touched>();

  get size(): number {
    return this.#minutes.size + this.#hours.size;
  }

  /** Where the last of them ends, Unix seconds; undefined without any. */
  get until(): number | undefined {
    if (this.size === 0) return undefined;
    let until = 0;
    for (const start of this.#minutes.keys()) until = Math.max(until, start + MINUTE_S);
    for (const start of this.#hours.keys()) until = Math.max(until, start + HOUR_S);
    return until;
  }

  /** Adds the minutes that start so, those of no window left out. `at`: monotonic milliseconds. */
  add(starts: readonly number[], windows: MarketWindows, at: number): void {
    for (const start of starts) if (start >= windows.day.wholeSince) touch(this.#minutes, start, at);
    this.addHours(starts, windows, at);
  }

  /** Adds the hours of minutes alone, as far as minutes of them are forgotten. */
  addHours(starts: readonly number[], { day, week }: MarketWindows, at: number): void {
    for (const start of starts) {
      const hour = start - (start % HOUR_S);
      if (hour < day.wholeSince && hour >= week.wholeSince) touch(this.#hours, hour, at);
    }
  }

  isRipe(at: number): boolean {
    return [...this.#minutes.values(), ...this.#hours.values()].some((touched) => isRipe(touched, at));
  }

  /** Takes out what may be read now, some of it. */
  take(at: number): BucketRun | undefined {
    return this.#takeMinutes(at) ?? this.#takeHour(at);
  }

  clear(): void {
    this.#minutes.clear();
    this.#hours.clear();
  }

  #takeMinutes(at: number): BucketRun | undefined {
    const [since] = ripeOf(this.#minutes, at);
    if (since === undefined) return undefined;
    let until = since;
    // Those behind the first one may be younger: they would be looked for again in the same rows.
    while (until < since + MINUTES_AT_ONCE * MINUTE_S && this.#minutes.delete(until)) until += MINUTE_S;
    return { width: MINUTE_S, since, until };
  }

  #takeHour(at: number): BucketRun | undefined {
    const [since] = ripeOf(this.#hours, at);
    if (since === undefined) return undefined;
    this.#hours.delete(since);
    return { width: HOUR_S, since, until: since + HOUR_S };
  }
}

/** Starts of those that may be read, in order. */
function ripeOf(buckets: ReadonlyMap<number, Touched>, at: number): number[] {
  return Array.from(buckets)
    .flatMap(([start, touched]) => (isRipe(touched, at) ? [start] : []))
    .sort((a, b) => a - b);
}

function isRipe({ first, last }: Touched, at: number): boolean {
  return at >= last + GATHER_MS || at >= first + MOST_GATHER_MS;
}

function touch(buckets: Map<number, Touched>, start: number, at: number): void {
  const known = buckets.get(start);
  if (known === undefined) buckets.set(start, { first: at, last: at });
  else known.last = at;
}
