import { createFollowed } from '../books/followed.ts';
import { readBatch } from '../books/mint-rows.ts';
import { createRefreshed } from '../books/refreshed.ts';
import type { Address } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import type { SwapRow } from '../store/clickhouse/schema/tables.ts';
import { isOnSolCurve } from '../token/curve-progress.ts';
import type { CurveBirth, CurveBook, CurveSample } from './curve-book.ts';
import { type CurveReads, readCurves } from './curve-reads.ts';

/** Curves of the hour, and the slot up to which they have everything. */
export interface CurvesAsked {
  readonly book: CurveBook;
  readonly slot: number;
}

/** Curves kept in memory from the feed, and out of the store alone while blocks that came out of order wait to be stored. */
export interface FollowedCurves {
  /** @throws {ApiError} `warming_up` when they do not stand yet and are not read in good time. */
  get(): Promise<CurvesAsked>;
  /** Changes with every batch. */
  readonly version: number;
  close(): void;
}

export interface FollowedCurvesDeps {
  readonly reads: CurveReads;
  readonly feed: Feed;
  readonly clock: Clock;
  /** What time it is on the chain, Unix seconds; undefined while nobody knows. */
  readonly now: () => number | undefined;
}

/** Nothing is read again for so many times as long as a read took. */
const REST_FACTOR = 10;

export function createFollowedCurves({ reads, feed, clock, now }: FollowedCurvesDeps): FollowedCurves {
  const stored = createRefreshed<CurvesAsked>({ clock, capacity: 1 });
  const curves = createFollowed<CurveBook>({
    feed,
    clock,
    name: 'the list of curves',
    restFactor: REST_FACTOR,
    read: (mark) => readCurves(reads, clock, mark),
    add(book, batch) {
      const { births, samples, time } = curvesOf(batch);
      book.add(births, samples, now() ?? time);
    },
    takeBack(book, batch) {
      book.takeBack(mintsOf(batch), batch.firstSlot);
      return true;
    },
  });
  return {
    get version() {
      return curves.version;
    },
    async get() {
      const book = await curves.get();
      if (book !== undefined) return { book, slot: Math.max(feed.headSlot, feed.committedSlot) };
      const slot = feed.committedSlot;
      return (await stored.get('', async () => ({ book: await readCurves(reads, clock, slot), slot }))).value;
    },
    close: curves.close,
  };
}

function* mintsOf(batch: RowBatch): IterableIterator<Address> {
  for (const mint of readBatch(batch).keys()) if (mint !== '') yield mint;
}

/** What a batch tells of curves, and the time of its newest swap. */
function curvesOf(batch: RowBatch): {
  readonly births: readonly CurveBirth[];
  readonly samples: readonly CurveSample[];
  readonly time: number;
} {
  const births: CurveBirth[] = [];
  const samples: CurveSample[] = [];
  for (const [mint, { creations, swaps }] of readBatch(batch)) {
    if (mint === '') continue;
    const [creation] = creations;
    if (creation !== undefined) births.push({ mint, slot: creation.slot, time: creation.time });
    samples.push(...samplesOf(mint, swaps.filter(isOnSolCurve)));
  }
  return { births, samples, time: Math.max(0, ...samples.map(({ time }) => time)) };
}

/** One for each slot, out of swaps in order. */
function samplesOf(mint: Address, swaps: readonly SwapRow[]): CurveSample[] {
  const bySlot = new Map<number, CurveSample>();
  for (const { slot, time, is_buy, token_amount, real_token_reserves: left } of swaps) {
    const before = bySlot.get(slot)?.before ?? (is_buy ? left + token_amount : left - token_amount);
    bySlot.set(slot, { mint, slot, time, left, before });
  }
  return [...bySlot.values()];
}
