import { createBoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/clock.ts';
import { isOfStore } from '../store/reads/read-fault.ts';
import { readerNow } from '../store/reads/reader.ts';
import { SharedRead } from '../store/reads/shared-read.ts';

export interface RefreshOptions {
  readonly clock: Clock;
  /** Keys kept; the one asked for the longest ago goes first. */
  readonly capacity: number;
  /** A value younger than this is given as it is. */
  readonly freshMs?: number;
  /** The same for a value whose making took long: a key is at work for a tenth of the time at most, up to this age. */
  readonly reuseMs?: number;
  /** Largest age, in milliseconds, of a value that stands in for one that could not be made. */
  readonly lastGoodMs?: number;
  /** A value younger than this is given at once, while it is made again for the next question. 0 without. */
  readonly aheadMs?: number;
  /** Milliseconds that a question waits for a refresh, when there is a value from before to give instead. */
  readonly patienceMs?: number;
}

export interface Refreshed<T> {
  readonly value: T;
  /** Unix milliseconds at which its making began: nothing later is in it for sure. */
  readonly madeAt: number;
}

/**
 * Values that are worth making again every few seconds, for questions too wide for a book. All who
 * ask for a key share one refresh. When it fails or takes too long, the value before is given while
 * it is not too old; without one the failure is handed on.
 */
export interface RefreshedValues<T> {
  /** Rejects with what `make` rejects with, when there is nothing to give instead. */
  get(key: string, make: () => Promise<T>): Promise<Refreshed<T>>;
  /** The value while it needs no refresh, without a promise: the hot path waits for nothing. */
  ready(key: string): Refreshed<T> | undefined;
  /** What `of` makes of the value: at once while it needs no refresh. */
  with<R>(key: string, make: () => Promise<T>, of: (value: T) => R | Promise<R>): R | Promise<R>;
}

/** For values that are given as they are. */
export const itself = <T>(value: T): T => value;

/** A refresh that took long is not made again before ten times as long has passed. */
const REST_FACTOR = 10;

interface Entry<T> {
  made: (Refreshed<T> & { readonly startedAt: number; readonly doneAt: number }) | undefined;
  underWay: SharedRead<Refreshed<T>> | undefined;
  /** Monotonic time of the last failure since something was made. */
  failedAt: number | undefined;
}

export function createRefreshed<T>({
  clock,
  capacity,
  freshMs = 2_000,
  reuseMs = 5_000,
  lastGoodMs = 60_000,
  aheadMs = 0,
  patienceMs = 1_000,
}: RefreshOptions): RefreshedValues<T> {
  const entries = createBoundedMap<string, Entry<T>>(capacity);

  function add(key: string): Entry<T> {
    const entry: Entry<T> = { made: undefined, underWay: undefined, failedAt: undefined };
    entries.set(key, entry);
    return entry;
  }

  /** The value that needs no refresh yet. */
  function freshOf({ made }: Entry<T>): Refreshed<T> | undefined {
    if (made === undefined) return undefined;
    const rest = Math.min(reuseMs, REST_FACTOR * (made.doneAt - made.startedAt));
    return clock.elapsed() - made.startedAt < Math.max(freshMs, rest) ? made : undefined;
  }

  function lastGoodOf({ made }: Entry<T>): Refreshed<T> | undefined {
    return made !== undefined && clock.elapsed() - made.startedAt <= lastGoodMs ? made : undefined;
  }

  /** A value that has just failed to be made is not tried again by every question. */
  function isResting({ failedAt }: Entry<T>): boolean {
    return failedAt !== undefined && clock.elapsed() - failedAt < freshMs;
  }

  function refresh(entry: Entry<T>, make: () => Promise<T>): SharedRead<Refreshed<T>> {
    const started = new SharedRead(() =>
      remake(entry, make).finally(() => {
        if (entry.underWay === started) entry.underWay = undefined;
      }),
    );
    return started;
  }

  async function remake(entry: Entry<T>, make: () => Promise<T>): Promise<Refreshed<T>> {
    const madeAt = clock.now();
    const startedAt = clock.elapsed();
    try {
      const made = { value: await make(), madeAt, startedAt, doneAt: clock.elapsed() };
      entry.made = made;
      entry.failedAt = undefined;
      return made;
    } catch (error) {
      // A read that was refused or given up is no fault of the value; one that took too long or came to nothing is.
      if (isOfStore(error)) entry.failedAt = clock.elapsed();
      throw error;
    }
  }

  /** Waits for the refresh, but gives the value from before when it fails or is not done within `patienceMs`. */
  async function insteadOf(underWay: SharedRead<Refreshed<T>>, lastGood: Refreshed<T>): Promise<Refreshed<T>> {
    const waited = new AbortController();
    // A question that is given the value from before does not end the making of the next one.
    const made = underWay.wait();
    underWay.keep();
    try {
      return await Promise.race([made, clock.sleep(patienceMs, waited.signal).then(() => lastGood)]);
    } catch {
      return lastGood;
    } finally {
      waited.abort();
    }
  }

  async function get(key: string, make: () => Promise<T>): Promise<Refreshed<T>> {
    const entry = entries.get(key) ?? add(key);
    const fresh = freshOf(entry);
    if (fresh !== undefined) return fresh;
    const lastGood = lastGoodOf(entry);
    if (lastGood !== undefined && isResting(entry)) return lastGood;
    if (entry.underWay === undefined || entry.underWay.abandoned) entry.underWay = refresh(entry, make);
    return lastGood === undefined ? entry.underWay.wait() : insteadOf(entry.underWay, lastGood);
  }

  function ready(key: string): Refreshed<T> | undefined {
    const entry = entries.get(key);
    return entry === undefined ? undefined : freshOf(entry);
  }

  /** A value that is still young; the next one is made meanwhile, in the share of who asked first. */
  function ahead(key: string, make: () => Promise<T>): Refreshed<T> | undefined {
    const entry = entries.get(key);
    if (entry?.made === undefined || clock.elapsed() - entry.made.startedAt >= aheadMs) return undefined;
    const isBegun = entry.underWay !== undefined && !entry.underWay.abandoned;
    // Who has left already begins nothing.
    if (!isBegun && !isResting(entry) && readerNow().left === undefined) {
      const underWay = refresh(entry, make);
      entry.underWay = underWay;
      // Its failure is met by whoever asks when the value is no longer young.
      underWay.wait().catch(() => {});
      underWay.keep();
    }
    return entry.made;
  }

  return {
    get,
    ready,
    with(key, make, of) {
      const fresh = ready(key) ?? ahead(key, make);
      return fresh === undefined ? get(key, make).then(({ value }) => of(value)) : of(fresh.value);
    },
  };
}
