import type { Address } from '../chain/address.ts';
import { SeriesBook } from './series.ts';
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
  readonly day = new TradeRing(this.book, DAY_RING);
  readonly week = new TradeRing(this.book, WEEK_RING);
  #now = 0;

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
    this.#takeOut(slot);
    if (time > this.#now) this.moveTo(time);
    this.hour.add(slot, time, swaps);
    this.#count(this.hour.find(slot), 1);
    return true;
  }

  /**
   * Takes the newest slots out again; `now` is the time of the block that is the newest without them. False when that
   * is so much earlier that swaps at the beginning of the windows are forgotten: they have to be made anew.
   */
  withdraw(slot: number, now: number): boolean {
    this.#takeOut(slot);
    return this.moveTo(now);
  }

  /** As {@link withdraw}, without a slot. */
  moveTo(now: number): boolean {
    this.#now = now;
    const holds = [this.hour.moveTo(now), this.day.moveTo(now), this.week.moveTo(now)];
    return holds.every((whole) => whole);
  }

  /** Buckets' cells that leave when the windows end with this second: what {@link moveTo} has to do at once. */
  leaving(now: number): number {
    return this.day.leaving(now) + this.week.leaving(now);
  }

  /** Puts what the store has of a minute in the place of what was counted, in its hour as well. */
  replaceMinute(start: number, cells: readonly RingCell[]): void {
    if (start < this.day.wholeSince) return;
    for (const { series, venue, counts } of cells) this.week.add({ series, venue, time: start }, counts, 1);
    const counted = new CellSums(this.book);
    this.day.addTo(counted, start, start + MINUTE_S);
    for (const { series, venue, counts } of counted.all()) {
      this.week.add({ series, venue, time: start }, counts, -1);
    }
    this.day.replace(start, cells);
  }

  /** Puts what the store has of an hour in the place of what was counted. Its minutes stay as they are. */
  replaceHour(start: number, cells: readonly RingCell[]): void {
    this.week.replace(start, cells);
  }

  /** Notes last prices from before the last hour. */
  noteEarlier(prices: readonly EarlierPrice[]): void {
    this.hour.noteEarlier(prices);
  }

  #takeOut(slot: number): void {
    this.#count(this.hour.find(slot), -1);
    this.hour.remove(slot);
  }

  /** Adds swaps to their minute and hour, or takes them out again. */
  #count(chunk: TradeChunk | undefined, sign: 1 | -1): void {
    if (chunk === undefined) return;
    for (let at = 0; at < chunk.size; at += 1) {
      const place = { series: this.book.at(chunk.series[at]!), venue: chunk.venue(at), time: chunk.time };
      const counts = chunk.counts(at);
      this.day.add(place, counts, sign);
      this.week.add(place, counts, sign);
    }
  }
}

const MINUTE_S = 60;
/** An object with a mint, rows of sums and prices, and places in two maps. */
const SERIES_BYTES = 480;
