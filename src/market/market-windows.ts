import type { Address } from '../chain/address.ts';
import { SeriesBook } from './series.ts';
import { SlotTimes } from './slot-times.ts';
import { isNothing } from './sums.ts';
import { CellSums, type RingCell } from './trade-cells.ts';
import type { CountedSwap, TradeChunk } from './trade-chunk.ts';
import { type EarlierPrice, TradeHour } from './trade-hour.ts';
import { DAY_RING, TradeRing, WEEK_RING } from './trade-ring.ts';

/** Swaps of a slot. Times are Unix seconds, and do not run backwards from slot to slot but by a node's fault. */
export interface SlotSwaps {
  readonly slot: number;
  readonly time: number;
  /** In order. */
  readonly swaps: readonly CountedSwap<Address>[];
}

/**
 * Sliding windows over all swaps of the market: five minutes and an hour to the second, a day by minutes, seven days by
 * hours. They end with the newest block's time, whatever the clock on the wall says. Pure: whoever follows the feed
 * tells it which slots came, went, or were read anew.
 */
export class MarketWindows {
  readonly book = new SeriesBook();
  readonly hour = new TradeHour(this.book);
  readonly day: TradeRing;
  readonly week: TradeRing;
  readonly slotTimes = new SlotTimes();
  #now = 0;

  /** @param cellsAtOnce of what leaves a day or a week so many cells are handled with each block, rather than the usual number. */
  constructor(cellsAtOnce?: number) {
    this.day = new TradeRing(this.book, DAY_RING, cellsAtOnce);
    this.week = new TradeRing(this.book, WEEK_RING, cellsAtOnce);
  }

  /** Time of the newest block, Unix seconds. */
  get now(): number {
    return this.#now;
  }

  get bytes(): number {
    return this.hour.bytes + this.day.bytes + this.week.bytes + this.book.size * SERIES_BYTES;
  }

  /**
   * Takes a slot in, and moves on to its time when that is the latest. What was held of the slot goes. False for a slot
   * from before the last hour, with which nothing is done: its minute and hour are to be replaced, and then its prices
   * be noted.
   */
  add({ slot, time, swaps }: SlotSwaps): boolean {
    if (time < this.hour.heldSince) return false;
    this.remove(slot);
    if (time > this.#now) this.moveTo(time);
    this.hour.add(slot, time, swaps);
    this.#count(this.hour.find(slot), 1);
    this.slotTimes.noteNewest(slot, time);
    this.hour.tidy();
    this.day.tidy();
    this.week.tidy();
    return true;
  }

  /**
   * Takes the newest slots out again; `now` is the time of the block that is the newest without them. False when that
   * is so much earlier that swaps at the beginning of the windows are forgotten: they have to be made anew.
   */
  withdraw(slot: number, now: number): boolean {
    this.remove(slot);
    return this.moveTo(now);
  }

  /** Takes a slot out, if it is held. */
  remove(slot: number): void {
    this.#count(this.hour.find(slot), -1);
    this.hour.remove(slot);
  }

  /** As {@link withdraw}, without a slot. */
  moveTo(now: number): boolean {
    this.#now = now;
    const holds = [this.hour.moveTo(now), this.day.moveTo(now), this.week.moveTo(now)];
    return holds.every((whole) => whole);
  }

  /**
   * What {@link moveTo} has to do at once when the windows end with this second: cells of buckets that leave or enter,
   * and swaps, each of which takes as long as several cells. Whatever is beyond `most` is not looked at.
   */
  moving(now: number, most: number): number {
    const swaps = this.hour.moving(now, most / CELLS_PER_SWAP);
    return swaps * CELLS_PER_SWAP + this.day.moving(now, most) + this.week.moving(now, most);
  }

  /** About when a slot was at the latest, Unix seconds; as late as the newest block while nothing is known. */
  latest(slot: number): number {
    return Math.min(this.#now, this.slotTimes.latest(slot) ?? this.#now, this.hour.latest(slot) ?? this.#now);
  }

  /**
   * Puts what the store has of a minute in the place of what was counted. Its hour changes by the same, unless minutes of
   * it are forgotten: then it is to be replaced as well.
   */
  replaceMinute(start: number, cells: readonly RingCell[]): void {
    const pieces = this.replacingMinute(start, cells);
    while (!pieces.next().done);
  }

  /** Puts what the store has of an hour in the place of what was counted. Its minutes stay as they are. */
  replaceHour(start: number, cells: readonly RingCell[]): void {
    const pieces = this.replacingHour(start, cells);
    while (!pieces.next().done);
  }

  /**
   * {@link replaceMinute} in pieces. Behind each of them windows are sums of what buckets hold: some tokens have what the
   * store has, the others what they had. Whatever is counted in between stays counted.
   */
  replacingMinute(start: number, cells: readonly RingCell[]): Generator<void> {
    const hour = start - (start % WEEK_RING.width);
    const rings = hour >= this.day.wholeSince ? ([this.day, this.week] as const) : ([this.day] as const);
    return this.#replacing(rings, { start, width: DAY_RING.width }, cells);
  }

  /** {@link replaceHour} in such pieces. */
  replacingHour(start: number, cells: readonly RingCell[]): Generator<void> {
    return this.#replacing([this.week], { start, width: WEEK_RING.width }, cells);
  }

  /** Puts cells in the place of those of a bucket of the first ring; the others change by the same. */
  *#replacing(
    rings: readonly [TradeRing, ...TradeRing[]],
    { start, width }: { readonly start: number; readonly width: number },
    cells: readonly RingCell[],
  ): Generator<void> {
    if (start < rings[0].wholeSince) return;
    const changes = new CellSums(this.book);
    rings[0].addTo(changes, start, start + width);
    const held = [...changes.all(), ...cells];
    // Buckets and swaps may be forgotten in between, and their tokens with them.
    for (const { series } of held) this.book.retain(series.number);
    try {
      changes.negate();
      let done = 0;
      for (const { series, venue, counts } of cells) {
        changes.add(series.number, venue, counts);
        done += 1;
        if (done % CELLS_AT_ONCE === 0) yield;
      }
      for (const { series, venue, counts } of changes.all()) {
        done += 1;
        if (done % CELLS_AT_ONCE === 0) yield;
        if (isNothing(counts)) continue;
        for (const ring of rings) ring.add({ series, venue, time: start }, counts);
      }
    } finally {
      for (const { series } of held) this.book.release(series.number);
    }
  }

  /** Notes last prices from before the last hour. */
  noteEarlier(prices: readonly EarlierPrice[]): void {
    this.hour.noteEarlier(prices);
  }

  /** Adds swaps to their minute and hour, or takes them out again. */
  #count(chunk: TradeChunk | undefined, sign: 1 | -1): void {
    if (chunk === undefined) return;
    this.day.addSwaps(chunk, sign);
    this.week.addSwaps(chunk, sign);
  }
}

/** Cells that are counted in about the time of one swap, which has a wallet as well. */
const CELLS_PER_SWAP = 4;
/** Cells that are changed between two looks at what else there is to do. */
const CELLS_AT_ONCE = 1_024;
/** An object with a mint, rows of sums and prices, and columns. */
const SERIES_BYTES = 350;
