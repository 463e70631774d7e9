import type { BookMemory } from '../books/book-set.ts';
import { createFeedFollower } from '../books/feed-follower.ts';
import { ApiError } from '../contract/errors.ts';
import type { Feed, SlotSpan } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { blockTimesOf, curveMintsOf, curvesOf } from './curve-batch.ts';
import { type CurveBook, MAX_CURVE_BYTES } from './curve-book.ts';
import { type CurveReads, readCurves, type StoredCurves } from './curve-reads.ts';
import { Portions } from './portions.ts';

/**
 * Curves kept in memory from the feed. Blocks that came late are not in them before they are read again, beside
 * everything else; until then they say so.
 */
export interface FollowedCurves {
  /** @throws {ApiError} `warming_up` when they do not stand yet and are not read in good time. */
  get(): Promise<CurveBook>;
  /** The same at once; undefined while they do not stand. */
  readonly book: CurveBook | undefined;
  /** Unix seconds from which on nothing is known to be missing in them. */
  readonly wholeSince: number;
  /** Changes with every batch. */
  readonly version: number;
  readonly memory: BookMemory;
  /** Reads them, beside everything else. */
  warm(): void;
  close(): void;
}

export interface FollowedCurvesDeps {
  readonly reads: CurveReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Curves extends StoredCurves {
  /** Unix seconds. */
  wholeSince: number;
}

/** A read under way, and what the feed brought meanwhile. */
interface Reading {
  readonly batches: RowBatch[];
  /** What was read, while it catches up. */
  caught: Curves | undefined;
  readonly done: Promise<void>;
}

/** A question waits so long for curves that do not stand, and for those that are read again. */
const HOLD_MS = 2_000;
const REREAD_HOLD_MS = 250;
/** From the beginning of a read to the next, milliseconds: a hole may be filled beneath it for hours. */
const REREAD_MS = 10_000;
/** Nothing is read again for so many times as long as a read took. */
const REST_FACTOR = 10;

export function createFollowedCurves({ reads, feed, clock, log }: FollowedCurvesDeps): FollowedCurves {
  const ending = new AbortController();
  const { signal } = ending;
  let curves: Curves | undefined;
  let reading: Reading | undefined;

  const follower = createFeedFollower({
    ...{ feed, clock, isStale: false },
    take(batch) {
      reading?.batches.push(batch);
      if (curves !== undefined) take(curves, batch);
    },
    takeBack(batch, late) {
      const at = reading?.batches.indexOf(batch) ?? -1;
      if (at >= 0) reading?.batches.splice(at, 1);
      else if (reading?.caught !== undefined && !late) takeBack(reading.caught, batch);
      if (curves !== undefined && !late) takeBack(curves, batch);
    },
    changed(mints, what, slots) {
      // What a row says of its token may be new.
      if (what === 'descriptions') return;
      for (const each of [curves, reading?.caught]) each?.book.forget(mints);
      // Samples are made of facts alone.
      if (slots !== undefined && isInHour(slots)) follower.outdate();
    },
    outdated() {
      if (curves !== undefined) curves.wholeSince = Math.max(curves.wholeSince, nowOf(curves));
    },
  });

  function isInHour({ last }: SlotSpan): boolean {
    return curves === undefined || last >= curves.firstSlot;
  }

  function nowOf({ blocks }: Curves): number {
    return blocks.now(Math.floor(clock.now() / 1_000));
  }

  function take(known: Curves, batch: RowBatch): void {
    for (const block of blockTimesOf(batch)) known.blocks.push(block, feed.since(0).length);
    const { births, samples } = curvesOf(batch);
    known.book.add(births, samples, nowOf(known));
  }

  function takeBack(known: Curves, batch: RowBatch): void {
    known.book.takeBack(curveMintsOf(batch), batch.firstSlot);
    known.blocks.withdraw(batch.firstSlot);
  }

  async function read(current: Reading, mark: number): Promise<void> {
    const known: Curves = { ...(await readCurves(reads, { clock, mark, signal })), wholeSince: 0 };
    current.caught = known;
    const portions = new Portions(clock);
    for (let batch = current.batches.shift(); batch !== undefined; batch = current.batches.shift()) {
      take(known, batch);
      await portions.turn();
    }
    if (follower.isStale || follower.isSettling) known.wholeSince = nowOf(known);
    curves = known;
  }

  function begin(): Promise<void> {
    if (reading !== undefined) return reading.done;
    const mark = feed.committedSlot;
    const begunAt = clock.elapsed();
    const current: Reading = {
      batches: feed.since(mark).filter(({ closesSlots }) => closesSlots),
      caught: undefined,
      done: follower
        .read(() => read(current, mark))
        .catch((error: unknown) => {
          if (!signal.aborted) log.warn({ err: String(error) }, 'curves could not be read; they are tried again');
        })
        .finally(() => {
          reading = undefined;
          follower.rest(begunAt, Math.max(REREAD_MS, REST_FACTOR * (clock.elapsed() - begunAt)));
        }),
    };
    reading = current;
    return current.done;
  }

  /** Begins to read when that may be, and waits for it a while. It goes on. */
  async function readWithin(ms: number): Promise<void> {
    if (reading === undefined && follower.isResting) return;
    const patience = new AbortController();
    try {
      await Promise.race([begin(), clock.sleep(ms, patience.signal)]);
    } finally {
      patience.abort();
    }
  }

  return {
    async get() {
      if (curves === undefined) await readWithin(HOLD_MS);
      // Until late blocks are stored, the store has no more than there is.
      else if (follower.isStale && reading === undefined && !follower.isSettling) await readWithin(REREAD_HOLD_MS);
      if (curves === undefined) throw new ApiError('warming_up', { message: 'the list of curves is being read' });
      return curves.book;
    },
    get book() {
      return curves?.book;
    },
    get wholeSince() {
      return curves?.wholeSince ?? 0;
    },
    get version() {
      return follower.version;
    },
    get memory() {
      const { size = 0, bytes = 0, evicted = 0 } = curves?.book ?? {};
      return { books: size, bytes, maxBytes: MAX_CURVE_BYTES, evicted };
    },
    warm() {
      void begin();
    },
    close() {
      follower.close();
      ending.abort();
    },
  };
}
