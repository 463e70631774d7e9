import { type CellChange, OpenCells } from './open-cells.ts';
import { type Counts, isEmpty, noCounts } from './sums.ts';
import { VENUE_PLACES } from './trade-cells.ts';

const [U8_MAX, U32_MAX] = [255, 2 ** 32 - 1];
/** Of an entry of a map with its sums. */
const LARGE_CELL_BYTES = 160;
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
 * Sums of a minute or an hour, by series and venue. While it changes they are in a table; packed into columns they take
 * 14 bytes each, but for the few that are too large for a column.
 */
export class TradeBucket {
  /** Unix seconds. */
  readonly start: number;
  #open: OpenCells | undefined;
  /** Slots of the table that are packed already, and cells that were in them. */
  #packing: { slots: number; cells: number } | undefined;
  #cells = new Uint32Array(0);
  #buys = new Uint8Array(0);
  #sells = new Uint8Array(0);
  #lows = new Uint32Array(0);
  #highs = new Uint32Array(0);
  /** Sums that have no room in the columns, by place: both numbers of swaps are 0 there. */
  readonly #large = new Map<number, Readonly<Counts>>();

  /** @param cells about how many there will be. */
  constructor(start: number, cells = 0) {
    this.start = start;
    this.#open = new OpenCells(cells);
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
    const [packed, open] = [this.#cells.length * PACKED_CELL_BYTES, this.#open?.bytes ?? 0];
    return BUCKET_BYTES + packed + open + this.#large.size * LARGE_CELL_BYTES;
  }

  /** Adds to the sums of a cell, or takes out of them: one without any swap left is forgotten. */
  add(series: number, venue: number, counts: Readonly<Counts>, sign: 1 | -1): CellChange {
    return this.#reopen().add(series * VENUE_PLACES + venue, counts, sign);
  }

  /** Shows all cells, or of a packed bucket those from one place to another. */
  visit(visitor: CellVisitor, from = 0, until = this.#cells.length): void {
    if (this.#open !== undefined) {
      this.#open.visit((key, counts) => visitor(Math.floor(key / VENUE_PLACES), key % VENUE_PLACES, counts));
      return;
    }
    const shown = noCounts();
    for (let at = from; at < until && at < this.#cells.length; at += 1) {
      const key = this.#cells[at]!;
      shown.buys = this.#buys[at]!;
      shown.sells = this.#sells[at]!;
      shown.low = this.#lows[at]!;
      shown.high = this.#highs[at]!;
      const counts = isEmpty(shown) ? (this.#large.get(at) ?? shown) : shown;
      visitor(Math.floor(key / VENUE_PLACES), key % VENUE_PLACES, counts);
    }
  }

  /**
   * Packs what is not expected to change any more: all of it, or a piece, of so many slots of the table. True when nothing
   * is left to pack. Whatever changes in between, it begins anew.
   */
  pack(most = Number.POSITIVE_INFINITY): boolean {
    const open = this.#open;
    if (open === undefined) return true;
    if (this.#packing === undefined) this.#makeRoom(open.size);
    const packing = this.#packing ?? { slots: 0, cells: 0 };
    this.#packing = packing;
    const until = Math.min(packing.slots + most, open.slots);
    open.visit(
      (key, counts) => {
        this.#setCell(packing.cells, key, counts);
        packing.cells += 1;
      },
      packing.slots,
      until,
    );
    packing.slots = until;
    if (until < open.slots) return false;
    this.#open = undefined;
    this.#packing = undefined;
    return true;
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

  #reopen(): OpenCells {
    this.#packing = undefined;
    if (this.#open !== undefined) return this.#open;
    const open = new OpenCells(this.size);
    this.visit((series, venue, counts) => open.add(series * VENUE_PLACES + venue, counts, 1));
    this.#open = open;
    this.#makeRoom(0);
    return open;
  }
}
