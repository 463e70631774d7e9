import type { Address } from '../chain/address.ts';
import { stepEnds } from '../token/spark.ts';
import { ChunkList } from './chunk-list.ts';
import { Numbering } from './numbering.ts';
import { PairCounts } from './pair-counts.ts';
import { PriceChain } from './price-chain.ts';
import { countedIn, type Series, type SeriesBook } from './series.ts';
import { noCounts } from './sums.ts';
import type { CellSums } from './trade-cells.ts';
import { type CountedSwap, NOBODY, TradeChunk } from './trade-chunk.ts';
import { TraderCounts } from './trader-counts.ts';

export const FIVE_MINUTES_S = 300;
export const HOUR_S = 3_600;
/** Swaps are held for so long behind the hour: when the newest blocks are withdrawn, the hour begins earlier again. */
export const MARGIN_S = 120;

/** So many chunks that are no longer held may wait to be let go: a few seconds of them. */
const MOST_FORGOTTEN = 16;

type Short = 'five' | 'hour';

/** The last price of a series before everything that is held, raw quote over raw token. */
export interface EarlierPrice {
  readonly mint: Address;
  readonly quote: Address | '';
  readonly price: number;
  readonly slot: number;
}

/** A window that ends with the newest block: it begins with the chunk at `first`. */
interface SlidingWindow {
  readonly name: Short;
  readonly seconds: number;
  first: number;
  /** Wallets by token, and over all of them. */
  readonly ofMint: PairCounts;
  readonly traders: TraderCounts;
}

/**
 * Swaps of the last hour, one by one: what they come to in the last five minutes and the last hour is exact to the
 * second of block time, both ends included. Slots come in any order and go again; times never run backwards with slots.
 *
 * A swap costs the same however many are held, late ones next to it.
 */
export class TradeHour {
  readonly #book: SeriesBook;
  readonly #wallets = new Numbering<Address>();
  readonly #chunks = new ChunkList();
  readonly #windows: readonly SlidingWindow[] = [
    { name: 'five', seconds: FIVE_MINUTES_S, first: 0, ofMint: new PairCounts(), traders: new TraderCounts() },
    { name: 'hour', seconds: HOUR_S, first: 0, ofMint: new PairCounts(), traders: new TraderCounts() },
  ];
  readonly #prices: PriceChain;
  /** Chunks that are no longer held, and still refer to series and wallets. */
  #forgotten: TradeChunk[] = [];
  /** Unix seconds: time of the newest block. */
  #now = 0;
  /** Nothing from this second on was forgotten. */
  #wholeSince = 0;
  /** Undefined since a slot came or went, or the hour moved. */
  #stepSlots: readonly number[] | undefined;

  constructor(book: SeriesBook) {
    this.#book = book;
    this.#prices = new PriceChain(book, this.#chunks, this.#windows);
  }

  get bytes(): number {
    let chunks = 0;
    for (const { bytes } of this.#chunks) chunks += bytes;
    return this.#windows.reduce(
      (sum, { ofMint, traders }) => sum + ofMint.bytes + traders.bytes,
      chunks + this.#wallets.bytes,
    );
  }

  /** Time before which nothing is taken in, Unix seconds. */
  get heldSince(): number {
    return Math.max(this.#wholeSince, this.#now - HOUR_S - MARGIN_S);
  }

  /** Distinct wallets that traded a token in a window. */
  tradersOf(mint: Address, window: Short): number {
    const number = this.#book.tokenOf(mint);
    return number === undefined ? 0 : this.#window(window).traders.ofMint(number);
  }

  /** Distinct wallets that traded anything in a window. */
  activeTraders(window: Short): number {
    return this.#window(window).traders.distinct;
  }

  /**
   * Moves the windows: they end with this second. It may lie before the one they ended with; false when it lies so far
   * before that some of the hour is forgotten.
   */
  moveTo(now: number): boolean {
    this.#now = now;
    this.#stepSlots = undefined;
    for (const window of this.#windows) this.#slide(window);
    this.#forget();
    return now - HOUR_S >= this.#wholeSince;
  }

  /** The last price of a series in each step of the hour, oldest first, raw quote over raw token; 0 where nothing priced it. */
  stepPrices(series: Series): number[] {
    this.#letGo(0);
    let [behind, ...ends] = this.#steps();
    return ends.map((end) => {
      const price = this.#prices.lastWithin(series, behind!, end);
      behind = end;
      return price;
    });
  }

  /** The last slots up to the hour's beginning and up to the end of each step. A page asks for the same of all its rows. */
  #steps(): readonly number[] {
    const slotAt = (time: number) => this.#chunks.upTo(time)?.slot ?? -1;
    this.#stepSlots ??= [this.#now - HOUR_S - 1, ...stepEnds(this.#now)].map(slotAt);
    return this.#stepSlots;
  }

  /**
   * Swaps that {@link moveTo} has to count at once to end with this second, once for each window that they leave or
   * enter, and to forget. Whatever is beyond `most` is not looked at.
   */
  moving(now: number, most: number): number {
    let swaps = 0;
    for (const { first, seconds } of this.#windows) {
      const since = now - seconds;
      for (let place = first; swaps <= most && this.#isBefore(place, since); place += 1) {
        swaps += this.#chunks.at(place)!.size;
      }
      for (let place = first - 1; swaps <= most && place >= 0 && !this.#isBefore(place, since); place -= 1) {
        swaps += this.#chunks.at(place)!.size;
      }
    }
    const held = now - HOUR_S - MARGIN_S;
    for (let place = 0; swaps <= most && this.#isBefore(place, held); place += 1) swaps += this.#chunks.at(place)!.size;
    return swaps;
  }

  /** Time of the first swaps that are held at or behind a slot: it was no later. Undefined behind all of them. */
  latest(slot: number): number | undefined {
    return this.#chunks.at(this.#chunks.placeOf(slot))?.time;
  }

  /** Slots of a span that are held and have swaps. */
  slotsWithin(first: number, last: number): number[] {
    return this.#chunks.within(first, last).map(({ slot }) => slot);
  }

  /** Adds the swaps that are held of a span of seconds. */
  addTo(cells: CellSums, from: number, until: number): void {
    for (const chunk of this.#chunks) if (chunk.time >= from && chunk.time < until) cells.addSwaps(chunk);
  }

  /** The swaps of a slot, if it is held and has any. */
  find(slot: number): TradeChunk | undefined {
    return this.#chunks.find(slot);
  }

  /** Takes the swaps of a slot in, in order. The slot must not be held, nor be from before {@link heldSince}. */
  add(slot: number, time: number, swaps: readonly CountedSwap<Address>[]): void {
    if (swaps.length === 0) return;
    this.#stepSlots = undefined;
    const chunk = new TradeChunk(slot, time, swaps.length);
    // Pairs out of `entries` would be garbage, and this is done for every swap there is.
    for (let at = 0; at < swaps.length; at += 1) {
      const swap = swaps[at]!;
      const series = this.#book.take(swap.mint, swap.quote_mint);
      const isNobody = swap.protocol_actor || swap.trader === '';
      chunk.set(at, series, isNobody ? NOBODY : this.#wallets.take(swap.trader as Address), swap);
    }
    const place = this.#chunks.placeOf(slot);
    // Prices of what is no longer held must not be found behind what comes late.
    if (place === 0 || place < this.#chunks.size) this.#letGo(0);
    this.#chunks.insert(place, chunk);
    for (const window of this.#windows) {
      // What stands in front of the window moves its beginning along; its first moment is decided by time alone.
      if (place < window.first || (place === window.first && time < this.#now - window.seconds)) window.first += 1;
      else this.#count(window, chunk, 1);
    }
    this.#prices.add(place);
  }

  /** Takes a slot out. False when it is not held. */
  remove(slot: number): boolean {
    const place = this.#chunks.placeOf(slot);
    const chunk = this.#chunks.at(place);
    if (chunk?.slot !== slot) return false;
    this.#stepSlots = undefined;
    this.#letGo(0);
    this.#prices.remove(place);
    this.#chunks.remove(place);
    for (const window of this.#windows) {
      if (place < window.first) window.first -= 1;
      else this.#count(window, chunk, -1);
    }
    this.#release(chunk);
    return true;
  }

  /** True when there is a chunk at a place, of before a second. */
  #isBefore(place: number, second: number): boolean {
    const chunk = this.#chunks.at(place);
    return chunk !== undefined && chunk.time < second;
  }

  #window(name: Short): SlidingWindow {
    return this.#windows[name === 'five' ? 0 : 1]!;
  }

  #slide(window: SlidingWindow): void {
    const since = this.#now - window.seconds;
    const { prices } = this.#book;
    for (let chunk = this.#chunks.at(window.first); chunk !== undefined && chunk.time < since; ) {
      this.#count(window, chunk, -1);
      for (let at = 0; at < chunk.size; at += 1) {
        const price = chunk.price[at]!;
        if (price > 0) prices.set(chunk.series[at]!, window.name, price, chunk.slot);
      }
      window.first += 1;
      chunk = this.#chunks.at(window.first);
    }
    for (let chunk = this.#chunks.at(window.first - 1); chunk !== undefined && chunk.time >= since; ) {
      window.first -= 1;
      this.#count(window, chunk, 1);
      for (let at = chunk.size - 1; at >= 0; at -= 1) {
        if (chunk.price[at]! > 0) {
          prices.set(chunk.series[at]!, window.name, chunk.priceBefore[at]!, chunk.slotBefore[at]!);
        }
      }
      chunk = this.#chunks.at(window.first - 1);
    }
  }

  #count({ name, ofMint, traders }: SlidingWindow, chunk: TradeChunk, sign: 1 | -1): void {
    const counts = noCounts();
    for (let at = 0; at < chunk.size; at += 1) {
      const series = chunk.series[at]!;
      chunk.readCounts(at, counts);
      this.#book.count(series, countedIn(name, chunk.venue(at)), counts, sign);
      const trader = chunk.trader[at]!;
      if (trader === NOBODY) continue;
      if (sign === 1) traders.add(this.#book.token(series), trader, ofMint);
      else traders.remove(this.#book.token(series), trader, ofMint);
    }
  }

  /** Notes the last prices before everything that is held. */
  noteEarlier(prices: readonly EarlierPrice[]): void {
    this.#letGo(0);
    for (const { mint, quote, price, slot } of prices) {
      const series = this.#book.find(mint, quote);
      if (series !== undefined) this.#prices.noteEarlier(series, price, slot);
    }
  }

  #forget(): void {
    const since = this.heldSince;
    this.#wholeSince = Math.max(this.#wholeSince, since);
    let gone = 0;
    while (gone < this.#chunks.size && this.#chunks.at(gone)!.time < since) gone += 1;
    if (gone === 0) return;
    this.#forgotten.push(...this.#chunks.shift(gone));
    this.#letGo(MOST_FORGOTTEN);
    for (const window of this.#windows) window.first -= gone;
  }

  /** A piece of what nobody waits for: lets one chunk go. To be done with every block. */
  tidy(): void {
    this.#letGo(Math.max(0, this.#forgotten.length - 1));
  }

  /** Lets chunks go that are no longer held, the oldest first, until so many are left. */
  #letGo(most: number): void {
    if (this.#forgotten.length <= most) return;
    for (const chunk of this.#forgotten.splice(0, this.#forgotten.length - most)) {
      this.#prices.forget(chunk);
      this.#release(chunk);
    }
  }

  #release(chunk: TradeChunk): void {
    for (let at = 0; at < chunk.size; at += 1) {
      this.#book.release(chunk.series[at]!);
      if (chunk.trader[at] !== NOBODY) this.#wallets.release(chunk.trader[at]!);
    }
  }
}
