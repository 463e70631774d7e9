import type { Portions } from './portions.ts';
import type { Series, SeriesBook } from './series.ts';
import type { Counts } from './sums.ts';
import { TradeBucket } from './trade-bucket.ts';
import type { TradeRing } from './trade-ring.ts';

const FIRST_CELLS = 4_096;
/** Cells handled between two looks at the clock. */
const CELLS_AT_ONCE = 4_096;
const U32_MAX = 2 ** 32 - 1;

/**
 * Cells of some buckets of a ring, in whatever order the store has them: columns, because millions come at once. Each
 * cell refers to its series until {@link pourInto} hands the reference on.
 */
export class RingLoader {
  readonly #book: SeriesBook;
  #size = 0;
  #series: Uint32Array = new Uint32Array(FIRST_CELLS);
  #venues: Uint8Array = new Uint8Array(FIRST_CELLS);
  #starts: Uint32Array = new Uint32Array(FIRST_CELLS);
  #buys: Uint32Array = new Uint32Array(FIRST_CELLS);
  #sells: Uint32Array = new Uint32Array(FIRST_CELLS);
  #lows: Uint32Array = new Uint32Array(FIRST_CELLS);
  #highs: Uint32Array = new Uint32Array(FIRST_CELLS);
  /** High parts of volumes that have no room in 64 bits, by place. */
  readonly #large = new Map<number, number>();

  constructor(book: SeriesBook) {
    this.#book = book;
  }

  /** A cell that no other has the series, venue and bucket of; the bucket by its start, Unix seconds. */
  add(series: Series, start: number, venue: number, { buys, sells, low, high }: Readonly<Counts>): void {
    if (this.#size === this.#series.length) this.#grow();
    const at = this.#size;
    this.#book.retain(series.number);
    this.#series[at] = series.number;
    this.#venues[at] = venue;
    this.#starts[at] = start;
    this.#buys[at] = buys;
    this.#sells[at] = sells;
    this.#lows[at] = low;
    if (high <= U32_MAX) this.#highs[at] = high;
    else this.#large.set(at, high);
    this.#size = at + 1;
  }

  /** Appends all cells to a ring as packed buckets. The loader is empty afterwards. */
  async pourInto(ring: TradeRing, portions: Portions): Promise<void> {
    const places = new Map<number, number>();
    for (let at = 0; at < this.#size; at += 1) {
      const start = this.#starts[at]!;
      places.set(start, (places.get(start) ?? 0) + 1);
      if (at % CELLS_AT_ONCE === 0) await portions.turn();
    }
    const starts = [...places.keys()].sort((a, b) => a - b);
    const buckets = new Map(starts.map((start) => [start, TradeBucket.packed(start, places.get(start)!)]));
    for (const start of starts) places.set(start, 0);
    for (let at = 0; at < this.#size; at += 1) {
      const start = this.#starts[at]!;
      const place = places.get(start)!;
      places.set(start, place + 1);
      buckets.get(start)!.setPacked(place, {
        series: this.#series[at]!,
        venue: this.#venues[at]!,
        counts: {
          buys: this.#buys[at]!,
          sells: this.#sells[at]!,
          low: this.#lows[at]!,
          high: this.#large.get(at) ?? this.#highs[at]!,
        },
      });
      if (at % CELLS_AT_ONCE === 0) await portions.turn();
    }
    this.#size = 0;
    this.#large.clear();
    for (const start of starts) {
      ring.append(buckets.get(start)!);
      await portions.turn();
    }
  }

  #grow(): void {
    const length = 2 * this.#series.length;
    this.#series = copied(new Uint32Array(length), this.#series);
    this.#venues = copied(new Uint8Array(length), this.#venues);
    this.#starts = copied(new Uint32Array(length), this.#starts);
    this.#buys = copied(new Uint32Array(length), this.#buys);
    this.#sells = copied(new Uint32Array(length), this.#sells);
    this.#lows = copied(new Uint32Array(length), this.#lows);
    this.#highs = copied(new Uint32Array(length), this.#highs);
  }
}

function copied<T extends Uint8Array | Uint32Array>(larger: T, all: T): T {
  larger.set(all);
  return larger;
}
