import type { Series, SeriesBook } from './series.ts';
import { addSums, addSwaps, noSums, type Sums } from './sums.ts';
import type { TradeChunk } from './trade-chunk.ts';

/** Venues that have a place in a key: more than there are. */
export const VENUE_PLACES = 4;

/** What a bucket holds of one series and venue. */
export interface RingCell {
  readonly series: Series;
  readonly venue: number;
  readonly sums: Readonly<Sums>;
}

/** Sums by series and venue, of swaps or of other sums. It refers to no series: they have to be held elsewhere. */
export class CellSums {
  readonly #book: SeriesBook;
  readonly #sums = new Map<number, Sums>();

  constructor(book: SeriesBook) {
    this.#book = book;
  }

  /** Adds what a cell comes to. */
  add(series: number, venue: number, sums: Readonly<Sums>): void {
    addSums(this.#of(series, venue), sums, 1);
  }

  addSwaps(chunk: TradeChunk): void {
    for (let at = 0; at < chunk.size; at += 1) {
      addSwaps(this.#of(chunk.series[at]!, chunk.venue(at)), chunk.isBuy(at), chunk.volume[at]!, 1);
    }
  }

  all(): RingCell[] {
    return Array.from(this.#sums, ([key, sums]) => ({
      series: this.#book.at(Math.floor(key / VENUE_PLACES)),
      venue: key % VENUE_PLACES,
      sums,
    }));
  }

  #of(series: number, venue: number): Sums {
    const key = series * VENUE_PLACES + venue;
    let sums = this.#sums.get(key);
    if (sums === undefined) {
      sums = noSums();
      this.#sums.set(key, sums);
    }
    return sums;
  }
}
