import { ApiError } from '../contract/errors.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { readForService } from '../store/reads/reader.ts';
import { createUnsettledRows } from './unsettled-rows.ts';

/**
 * One thing made of all tokens' rows, kept in memory from the feed. It is read from the store when the service starts or
 * by the first question, and again when the store has other rows than before, now and then. While blocks that came out of
 * order wait to be stored, the store alone has to be asked.
 */
export interface Followed<T> {
  /**
   * The thing as it stands, or undefined when the store has to be asked.
   *
   * @throws {ApiError} `warming_up` when it does not stand yet and is not read in good time, or a read has just failed.
   */
  get(): Promise<T | undefined>;
  /** Reads it, beside everything else. */
  warm(): Promise<void>;
  /** The store has other rows than it was made of: it is read again, as soon as that may be. */
  outdate(): void;
  /** Changes with every batch. */
  readonly version: number;
  close(): void;
}

export interface FollowedDeps<T> {
  readonly feed: Feed;
  readonly clock: Clock;
  /** Reads it of the store as it stands at slot `mark`. */
  read(mark: number): Promise<T>;
  /** Takes the newest batch in. */
  add(value: T, batch: RowBatch): void;
  /** Takes the newest batch out. False when that cannot be done: it is read anew. */
  takeBack(value: T, batch: RowBatch): boolean;
  /** The store has rows that are not in it. */
  lacksRows?(value: T): void;
  /** Times as long as a read took that nothing is read again. */
  readonly restFactor?: number;
  /** What a refusal says is being read. */
  readonly name: string;
}

/** A read under way, and what the feed brought meanwhile. */
interface Warming {
  readonly batches: RowBatch[];
  /** True once the store's rows were replaced: what is read may be the old ones. */
  outdated: boolean;
  readonly done: Promise<void>;
}

/** A question waits so long for a read, then it is refused, or answered from what stands. */
const HOLD_MS = 2_000;
/** From the beginning of a read to the next, milliseconds: a hole may be filled beneath it for hours. */
const REREAD_MS = 10_000;
/**
 * Behind a read that failed while nothing stands nobody's question begins the next for so long: as long as it took, times
 * `restFactor`, between these two, milliseconds. Questions would do nothing but keep a store in trouble that is in trouble.
 */
const MIN_RETRY_MS = 2_000;
const MAX_RETRY_MS = REREAD_MS;
/** Reads that one question waits for: the one that it finds under way, and its own. */
const MAX_READS = 2;

export function createFollowed<T>(deps: FollowedDeps<T>): Followed<T> {
  const { feed, clock, restFactor = 0 } = deps;
  let value: T | undefined;
  /** True when the store has had other rows since it was read. */
  let stale = false;
  /** Monotonic time from which on it may be read again. */
  let rereadAt = 0;
  /** The same while it does not stand. */
  let retryAt = 0;
  let warming: Warming | undefined;
  let version = 0;
  const unsettled = createUnsettledRows<'all'>(feed);

  function discard(): void {
    value = undefined;
    warming = undefined;
  }

  const unsubscribe = feed.subscribe({
    batch(batch) {
      version += 1;
      if (unsettled.isLate(batch)) {
        unsettled.note('all', batch);
        discard();
        return;
      }
      warming?.batches.push(batch);
      if (value !== undefined) deps.add(value, batch);
    },
    withdrawn(batch) {
      version += 1;
      unsettled.withdrawn();
      const at = warming?.batches.indexOf(batch) ?? -1;
      if (at >= 0) warming?.batches.splice(at, 1);
      if (value !== undefined && !deps.takeBack(value, batch)) discard();
    },
    changed(_mints, what) {
      // What a row says of its token may be new.
      version += 1;
      if (what === 'descriptions') return;
      outdate();
      if (value !== undefined) deps.lacksRows?.(value);
    },
  });

  function outdate(): void {
    stale = true;
    if (warming !== undefined) warming.outdated = true;
  }

  function warm(): Promise<void> {
    if (warming !== undefined) return warming.done;
    const mark = feed.committedSlot;
    const begunAt = clock.elapsed();
    const batches = [...feed.since(mark)];
    const current: Warming = {
      batches,
      outdated: false,
      done: readForService(() => deps.read(mark))
        .then((read) => {
          // Discarded meanwhile: what was read may be what is no longer so.
          if (warming !== current) return;
          for (const batch of batches) deps.add(read, batch);
          if (current.outdated) deps.lacksRows?.(read);
          value = read;
          stale = current.outdated;
          version += 1;
        })
        .catch((error: unknown) => {
          const took = restFactor * (clock.elapsed() - begunAt);
          if (warming === current) retryAt = clock.elapsed() + Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, took));
          throw error;
        })
        .finally(() => {
          if (warming !== current) return;
          warming = undefined;
          // Behind a read that failed, too: the store is asked no more often when it is in trouble.
          rereadAt = begunAt + Math.max(REREAD_MS, restFactor * (clock.elapsed() - begunAt));
        }),
    };
    warming = current;
    return current.done;
  }

  /** False when it is not read in good time. The read goes on. */
  async function isWarmSoon(): Promise<boolean> {
    const patience = new AbortController();
    const late = clock.sleep(HOLD_MS, patience.signal).then(() => false);
    try {
      return await Promise.race([warm().then(() => true), late]);
    } finally {
      patience.abort();
    }
  }

  return {
    get version() {
      return version;
    },
    warm,
    outdate,
    async get() {
      if (unsettled.has('all')) return undefined;
      // A read that was under way may have begun before the rows changed that the caller knows of; the next one did not.
      for (let reads = 0; reads < MAX_READS; reads += 1) {
        if (value === undefined) {
          if (warming === undefined && clock.elapsed() < retryAt) throw notWarm(deps.name);
          if (!(await isWarmSoon())) throw notWarm(deps.name);
        } else if (stale && clock.elapsed() >= rereadAt) {
          // While the store fails, or is slow, what stands is better than nothing.
          if (!(await isWarmSoon().catch(() => false))) break;
        } else break;
      }
      return value;
    },
    close: unsubscribe,
  };
}

function notWarm(name: string): ApiError {
  return new ApiError('warming_up', { message: `${name} is being read` });
}
