import { countedIn, type Series, type SeriesBook } from './series.ts';
import type { WindowName } from './sum-table.ts';
import { type Counts, noCounts } from './sums.ts';
import { TradeBucket } from './trade-bucket.ts';
import type { CellSums } from './trade-cells.ts';
import type { TradeChunk } from './trade-chunk.ts';

/** Buckets held in front of the window: when the newest blocks are withdrawn it begins earlier again. */
const MARGIN_BUCKETS = 1;
/** So many forgotten buckets may wait to be let go. */
const MOST_UNTIDY = 4;
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

/** Swaps in buckets of the same width, and the sums of the window that ends with the running bucket. */
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

  constructor(book: SeriesBook, shape: RingShape) {
    this.#book = book;
    this.#shape = shape;
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
    const first = this.#first;
    for (let bucket = this.#buckets[this.#first]; bucket !== undefined && bucket.start < since; ) {
      this.#count(bucket, -1);
      this.#first += 1;
      bucket = this.#buckets[this.#first];
    }
    for (let bucket = this.#buckets[this.#first - 1]; bucket !== undefined && bucket.start >= since; ) {
      this.#first -= 1;
      this.#count(bucket, 1);
      bucket = this.#buckets[this.#first - 1];
    }
    this.#wholeSince = this.#heldSince;
    // Whoever counted a bucket has done enough for this moment, unless each moment is as long as a bucket.
    if (this.#first === first || this.#isUntidy) this.#tidy();
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
    else this.#count(bucket, 1);
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

  #count(bucket: TradeBucket, sign: 1 | -1): void {
    const window = this.#shape.name;
    bucket.visit((number, venue, counts) => this.#book.count(number, countedIn(window, venue), counts, sign));
  }

  #bucketAt(start: number): TradeBucket {
    const place = this.#placeOf(start);
    const known = this.#buckets[place];
    if (known?.start === start) return known;
    const bucket = new TradeBucket(start);
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
    return oldest !== undefined && oldest.start < this.#wholeSince - MOST_UNTIDY * this.#shape.width;
  }

  /** A piece of what nobody waits for: lets go of one bucket that is forgotten, and packs one that hardly changes any more. */
  #tidy(): void {
    const oldest = this.#buckets[0];
    if (oldest !== undefined && oldest.start < this.#wholeSince) {
      this.#buckets.shift();
      this.#first -= 1;
      this.#open.delete(oldest);
      this.#release(oldest);
    }
    for (const bucket of this.#open) {
      if (bucket.start >= this.#changing) continue;
      bucket.pack();
      this.#open.delete(bucket);
      return;
    }
  }

  #release(bucket: TradeBucket): void {
    bucket.visit((number) => this.#book.release(number));
  }
}
