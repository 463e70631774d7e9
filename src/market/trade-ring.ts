import { BucketVisit } from './bucket-visit.ts';
import { countedIn, type Series, type SeriesBook } from './series.ts';
import type { WindowName } from './sum-table.ts';
import { type Counts, noCounts } from './sums.ts';
import { TradeBucket } from './trade-bucket.ts';
import type { CellSums } from './trade-cells.ts';
import type { TradeChunk } from './trade-chunk.ts';

/** Buckets held in front of the window: when the newest blocks are withdrawn it begins earlier again. */
const MARGIN_BUCKETS = 1;
/** So many forgotten buckets may wait to be let go, and so many others to be packed. */
const MOST_UNTIDY = 4;
/** Cells that are counted, let go or packed with each block: a minute's are done within seconds, an hour's within a minute. */
const CELLS_AT_ONCE = 1_024;
/** So many buckets may still change every moment. */
const OPEN_BUCKETS = 2;

export interface RingShape {
  /** The window whose sums it keeps. */
  readonly name: Extract<WindowName, 'day' | 'week'>;
  /** Seconds of a bucket. */
  readonly width: number;
  /** Buckets of the window: the whole ones, and the running one besides. */
  readonly span: number;
}

export const DAY_RING: RingShape = { name: 'day', width: 60, span: 1_441 };
export const WEEK_RING: RingShape = { name: 'week', width: 3_600, span: 169 };

/**
 * Swaps in buckets of the same width, and the sums of the window that ends with the running bucket.
 *
 * No block has to take a whole bucket out of the sums: a portion goes with each of them, and what is left when sums are
 * read goes before.
 */
export class TradeRing {
  readonly #book: SeriesBook;
  readonly #shape: RingShape;
  /** By start. Those in front that begin before {@link wholeSince} are forgotten, and let go one by one. */
  readonly #buckets: TradeBucket[] = [];
  /** Place of the first bucket in the window. */
  #first = 0;
  #now = 0;
  /** Nothing from this second on was forgotten. */
  #wholeSince = 0;
  #settledVersion = 0;
  /** Buckets that are not packed. */
  readonly #open = new Set<TradeBucket>();
  readonly #cellsAtOnce: number;
  /** A bucket that is out of the window: only its first cells are taken out of the sums. */
  #leaving: BucketVisit | undefined;
  /** A bucket that is out of the ring: only its first cells have let go of their series. */
  #forgotten: BucketVisit | undefined;

  constructor(book: SeriesBook, shape: RingShape, cellsAtOnce = CELLS_AT_ONCE) {
    this.#book = book;
    this.#shape = shape;
    this.#cellsAtOnce = cellsAtOnce;
    book.settleBefore(shape.name, () => this.#settle());
  }

  get bytes(): number {
    return this.#buckets.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get cells(): number {
    return this.#buckets.reduce((sum, { size }) => sum + size, 0);
  }

  /** Start of the window, Unix seconds. */
  get since(): number {
    const { width, span } = this.#shape;
    return this.#startOf(this.#now) - (span - 1) * width;
  }

  /**
   * Moves the window: its last bucket is that of this second. It may lie before the one it ended with; false when it
   * lies so far before that some of the window is forgotten.
   */
  moveTo(now: number): boolean {
    this.#now = now;
    const { since } = this;
    for (let bucket = this.#buckets[this.#first]; bucket !== undefined && bucket.start < since; ) {
      this.#settle();
      this.#leaving = new BucketVisit(bucket);
      this.#open.delete(bucket);
      this.#first += 1;
      bucket = this.#buckets[this.#first];
    }
    for (let bucket = this.#buckets[this.#first - 1]; bucket !== undefined && bucket.start >= since; ) {
      this.#first -= 1;
      this.#count(bucket);
      bucket = this.#buckets[this.#first - 1];
    }
    this.#wholeSince = this.#heldSince;
    // Moments may be as long as buckets, and no block may come.
    if (this.#isUntidy) {
      this.#letGo(Number.POSITIVE_INFINITY);
      this.#packOne(Number.POSITIVE_INFINITY);
    }
    return since >= this.#wholeSince;
  }

  /**
   * Cells that leave the window, or enter it again, when it ends with this second: what {@link moveTo} has to do at once.
   * Whatever is beyond `most` is not looked at.
   */
  moving(now: number, most: number): number {
    const since = this.since + this.#startOf(now) - this.#startOf(this.#now);
    let cells = 0;
    for (
      let at = this.#first;
      cells <= most && at < this.#buckets.length && this.#buckets[at]!.start < since;
      at += 1
    ) {
      cells += this.#buckets[at]!.size;
    }
    for (let at = this.#first - 1; cells <= most && at >= 0 && this.#buckets[at]!.start >= since; at -= 1) {
      cells += this.#buckets[at]!.size;
    }
    return cells;
  }

  /** Adds what swaps of a second come to, or takes them out again. */
  add({ series, venue, time }: { series: Series; venue: number; time: number }, counts: Readonly<Counts>): void {
    const bucket = this.#changedAt(time);
    if (bucket !== undefined) this.#addTo(bucket, { series: series.number, venue }, counts, 1);
  }

  /** Adds the swaps of a slot, or takes them out again. */
  addSwaps(chunk: TradeChunk, sign: 1 | -1): void {
    const bucket = this.#changedAt(chunk.time);
    if (bucket === undefined) return;
    const [cell, counts] = [{ series: 0, venue: 0 }, noCounts()];
    for (let at = 0; at < chunk.size; at += 1) {
      cell.series = chunk.series[at]!;
      cell.venue = chunk.venue(at);
      chunk.readCounts(at, counts);
      this.#addTo(bucket, cell, counts, sign);
    }
  }

  /**
   * Takes in what the store has, before anything else: a packed bucket behind all others, with its references to series.
   * The window has to stand at its end already.
   */
  append(bucket: TradeBucket): void {
    this.#buckets.push(bucket);
    if (bucket.start < this.since) this.#first += 1;
    else this.#count(bucket);
  }

  /** Adds the buckets that begin in a span. */
  addTo(cells: CellSums, from: number, until: number): void {
    for (let at = this.#buckets.length - 1; at >= 0 && this.#buckets[at]!.start >= from; at -= 1) {
      const bucket = this.#buckets[at]!;
      if (bucket.start < until) bucket.visit((number, venue, counts) => cells.add(number, venue, counts));
    }
  }

  /** Buckets from this start on are held whole. */
  get wholeSince(): number {
    return this.#heldSince;
  }

  /** Changes with everything that changes in buckets in front of those that change every moment. */
  get settledVersion(): number {
    return this.#settledVersion;
  }

  /** Start of the first bucket that may change every moment. */
  get #changing(): number {
    return this.#startOf(this.#now) - (OPEN_BUCKETS - 1) * this.#shape.width;
  }

  get #heldSince(): number {
    return Math.max(this.#wholeSince, this.since - MARGIN_BUCKETS * this.#shape.width);
  }

  #startOf(time: number): number {
    return time - (time % this.#shape.width);
  }

  /** The bucket of a second, which is about to be changed; undefined when it is forgotten. */
  #changedAt(time: number): TradeBucket | undefined {
    const start = this.#startOf(time);
    if (start < this.#heldSince) return undefined;
    const bucket = this.#bucketAt(start);
    if (bucket === this.#leaving?.bucket) this.#settle();
    this.#open.add(bucket);
    if (start < this.#changing) this.#settledVersion += 1;
    return bucket;
  }

  #addTo(
    bucket: TradeBucket,
    { series, venue }: { readonly series: number; readonly venue: number },
    counts: Readonly<Counts>,
    sign: 1 | -1,
  ): void {
    const change = bucket.add(series, venue, counts, sign);
    if (change === 'made') this.#book.retain(series);
    if (bucket.start >= this.since) this.#book.count(series, countedIn(this.#shape.name, venue), counts, sign);
    if (change === 'gone') this.#book.release(series);
  }

  #count(bucket: TradeBucket): void {
    const window = this.#shape.name;
    bucket.visit((number, venue, counts) => this.#book.count(number, countedIn(window, venue), counts, 1));
  }

  #bucketAt(start: number): TradeBucket {
    const place = this.#placeOf(start);
    const known = this.#buckets[place];
    if (known?.start === start) return known;
    // About as many as before, so that no table grows while blocks come.
    const bucket = new TradeBucket(start, place === this.#buckets.length ? this.#buckets[place - 1]?.size : 0);
    this.#insert(place, bucket);
    return bucket;
  }

  #insert(place: number, bucket: TradeBucket): void {
    this.#buckets.splice(place, 0, bucket);
    if (bucket.start < this.since) this.#first += 1;
  }

  /** Place of the bucket, or where it belongs. Nearly always the last. */
  #placeOf(start: number): number {
    let place = this.#buckets.length;
    while (place > 0 && this.#buckets[place - 1]!.start >= start) place -= 1;
    return place;
  }

  get #isUntidy(): boolean {
    const oldest = this.#buckets[0];
    const isOld = oldest !== undefined && oldest.start < this.#wholeSince - MOST_UNTIDY * this.#shape.width;
    return isOld || this.#open.size > OPEN_BUCKETS + MOST_UNTIDY;
  }

  /**
   * A piece of what nobody waits for: takes a bucket that left out of the sums, lets go
   * of one that is forgotten, and packs one that hardly changes any more. To be done with every block.
   */
  tidy(): void {
    let left = this.#cellsAtOnce - this.#countLeaving(this.#cellsAtOnce);
    if (left > 0) left -= this.#letGo(left);
    if (left > 0) this.#packOne(left);
  }

  /** Takes what has left the window out of its sums. */
  #settle(): void {
    if (this.#leaving !== undefined) this.#countLeaving(Number.POSITIVE_INFINITY);
  }

  /** Returns how many cells were taken out of the sums. */
  #countLeaving(most: number): number {
    if (this.#leaving === undefined) return 0;
    const window = this.#shape.name;
    const cells = this.#leaving.next(most, (number, venue, counts) =>
      this.#book.count(number, countedIn(window, venue), counts, -1),
    );
    if (this.#leaving.isDone) this.#leaving = undefined;
    return cells;
  }

  /** Returns how many cells let go of their series. */
  #letGo(most: number): number {
    const [oldest] = this.#buckets;
    if (this.#forgotten === undefined && oldest !== undefined && oldest.start < this.#wholeSince) {
      if (oldest === this.#leaving?.bucket) this.#settle();
      this.#buckets.shift();
      this.#first -= 1;
      this.#open.delete(oldest);
      this.#forgotten = new BucketVisit(oldest);
    }
    if (this.#forgotten === undefined) return 0;
    const cells = this.#forgotten.next(most, (number) => this.#book.release(number));
    if (this.#forgotten.isDone) this.#forgotten = undefined;
    return cells;
  }

  #packOne(most: number): void {
    for (const bucket of this.#open) {
      if (bucket.start >= this.#changing) continue;
      if (bucket.pack(most)) this.#open.delete(bucket);
      return;
    }
  }
}
