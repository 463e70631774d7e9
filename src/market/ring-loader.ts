import type { Portions } from './portions.ts';
import type { Series, SeriesBook } from './series.ts';
import { TradeBucket } from './trade-bucket.ts';
import type { TradeRing } from './trade-ring.ts';

const FIRST_CELLS = 4_096;
/** Cells handled between two looks at the clock. */
const CELLS_AT_ONCE = 4_096;
const U64_END = 2n ** 64n;

/** What a bucket holds of one series and venue, as the store tells it. */
export interface LoadedCell {
  /** Start of the bucket, Unix seconds. */
  readonly start: number;
  readonly venue: number;
  readonly buys: number;
  readonly sells: number;
  /** Raw quote units. */
  readonly volume: bigint;
}

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
  #volumes: BigUint64Array = new BigUint64Array(FIRST_CELLS);
  /** Volumes that have no room in 64 bits, by place. */
  readonly #large = new Map<number, bigint>();

  constructor(book: SeriesBook) {
    this.#book = book;
  }

  /** A cell that no other has the series, venue and bucket of. */
  add(series: Series, { start, venue, buys, sells, volume }: LoadedCell): void {
    if (this.#size === this.#series.length) this.#grow();
    const at = this.#size;
    this.#book.retain(series);
    this.#series[at] = series.number;
    this.#venues[at] = venue;
    this.#starts[at] = start;
    this.#buys[at] = buys;
    this.#sells[at] = sells;
    if (volume < U64_END) this.#volumes[at] = volume;
    else this.#large.set(at, volume);
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
        sums: { buys: this.#buys[at]!, sells: this.#sells[at]!, volume: this.#large.get(at) ?? this.#volumes[at]! },
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
    const volumes = new BigUint64Array(length);
    volumes.set(this.#volumes);
    this.#volumes = volumes;
  }
}

function copied<T extends Uint8Array | Uint32Array>(larger: T, all: T): T {
  larger.set(all);
  return larger;
}
