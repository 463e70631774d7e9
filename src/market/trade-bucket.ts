import { type Counts, isEmpty, noCounts } from './sums.ts';
import { VENUE_PLACES } from './trade-cells.ts';

const [U8_MAX, U32_MAX] = [255, 2 ** 32 - 1];
/** Of an entry of a map with its sums and its volume. */
const OPEN_CELL_BYTES = 160;
const PACKED_CELL_BYTES = 14;
const BUCKET_BYTES = 700;

/** Is shown what a cell comes to, which is another one behind the call. */
export type CellVisitor = (series: number, venue: number, counts: Readonly<Counts>) => void;

interface PackedCell {
  readonly series: number;
  readonly venue: number;
  readonly counts: Readonly<Counts>;
}

/**
 * Sums of a minute or an hour, by series and venue. While it changes they are in a map; packed into columns they take
 * 14 bytes each, but for the few that are too large for a column.
 */
export class TradeBucket {
  /** Unix seconds. */
  readonly start: number;
  #open: Map<number, Counts> | undefined = new Map();
  #cells = new Uint32Array(0);
  #buys = new Uint8Array(0);
  #sells = new Uint8Array(0);
  #lows = new Uint32Array(0);
  #highs = new Uint32Array(0);
  /** Sums that have no room in the columns, by place: both numbers of swaps are 0 there. */
  readonly #large = new Map<number, Readonly<Counts>>();

  constructor(start: number) {
    this.start = start;
  }

  /** A bucket that is packed from the beginning; each of its cells is to be set. */
  static packed(start: number, cells: number): TradeBucket {
    const bucket = new TradeBucket(start);
    bucket.#open = undefined;
    bucket.#makeRoom(cells);
    return bucket;
  }

  /** Sets the cell at a place of a packed bucket. */
  setPacked(at: number, { series, venue, counts }: PackedCell): void {
    this.#setCell(at, series * VENUE_PLACES + venue, counts);
  }

  get size(): number {
    return this.#open?.size ?? this.#cells.length;
  }

  get bytes(): number {
    const [packed, open] = [this.#cells.length * PACKED_CELL_BYTES, this.#open?.size ?? 0];
    return BUCKET_BYTES + packed + (open + this.#large.size) * OPEN_CELL_BYTES;
  }

  /** The sums of a cell, to be changed, made when there are none. */
  cell(series: number, venue: number): Counts {
    const open = this.#reopen();
    const key = series * VENUE_PLACES + venue;
    let sums = open.get(key);
    if (sums === undefined) {
      sums = noCounts();
      open.set(key, sums);
    }
    return sums;
  }

  /** Forgets a cell that is empty. True when there was one, and is no longer. */
  forgetEmpty(series: number, venue: number): boolean {
    const open = this.#reopen();
    const key = series * VENUE_PLACES + venue;
    const sums = open.get(key);
    return sums !== undefined && isEmpty(sums) && open.delete(key);
  }

  visit(visitor: CellVisitor): void {
    if (this.#open !== undefined) {
      for (const [key, counts] of this.#open) visitor(Math.floor(key / VENUE_PLACES), key % VENUE_PLACES, counts);
      return;
    }
    const shown = noCounts();
    for (let at = 0; at < this.#cells.length; at += 1) {
      const key = this.#cells[at]!;
      shown.buys = this.#buys[at]!;
      shown.sells = this.#sells[at]!;
      shown.low = this.#lows[at]!;
      shown.high = this.#highs[at]!;
      const counts = isEmpty(shown) ? (this.#large.get(at) ?? shown) : shown;
      visitor(Math.floor(key / VENUE_PLACES), key % VENUE_PLACES, counts);
    }
  }

  /** Packs what is not expected to change any more. */
  pack(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#makeRoom(open.size);
    let at = 0;
    for (const [key, counts] of open) {
      this.#setCell(at, key, counts);
      at += 1;
    }
    this.#open = undefined;
  }

  #makeRoom(cells: number): void {
    this.#cells = new Uint32Array(cells);
    this.#buys = new Uint8Array(cells);
    this.#sells = new Uint8Array(cells);
    this.#lows = new Uint32Array(cells);
    this.#highs = new Uint32Array(cells);
    this.#large.clear();
  }

  #setCell(at: number, key: number, { buys, sells, low, high }: Readonly<Counts>): void {
    this.#cells[at] = key;
    if (buys > U8_MAX || sells > U8_MAX || high > U32_MAX) {
      this.#large.set(at, { buys, sells, low, high });
      return;
    }
    this.#buys[at] = buys;
    this.#sells[at] = sells;
    this.#lows[at] = low;
    this.#highs[at] = high;
  }

  #reopen(): Map<number, Counts> {
    if (this.#open !== undefined) return this.#open;
    const open = new Map<number, Counts>();
    this.visit((series, venue, counts) => open.set(series * VENUE_PLACES + venue, { ...counts }));
    this.#open = open;
    this.#makeRoom(0);
    return open;
  }
}
