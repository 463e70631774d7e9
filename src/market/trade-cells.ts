import type { Series, SeriesBook } from './series.ts';
import { addCounts, type Counts, negate, noCounts } from './sums.ts';
import type { TradeChunk } from './trade-chunk.ts';

/** Venues that have a place in a key: more than there are. */
export const VENUE_PLACES = 4;

/** What a bucket holds of one series and venue. */
export interface RingCell {
  readonly series: Series;
  readonly venue: number;
  readonly counts: Readonly<Counts>;
}

/** Sums by series and venue, of swaps or of other sums. It refers to no series: they have to be held elsewhere. */
export class CellSums {
  readonly #book: SeriesBook;
  readonly #counts = new Map<number, Counts>();

  constructor(book: SeriesBook) {
    this.#book = book;
  }

  /** Adds what a cell comes to. */
  add(series: number, venue: number, counts: Readonly<Counts>): void {
    addCounts(this.#of(series, venue), counts, 1);
  }

  addSwaps(chunk: TradeChunk): void {
    const counts = noCounts();
    for (let at = 0; at < chunk.size; at += 1) {
      chunk.readCounts(at, counts);
      addCounts(this.#of(chunk.series[at]!, chunk.venue(at)), counts, 1);
    }
  }

  /** Turns all sums round: what is added from then on is what has changed. */
  negate(): void {
    for (const counts of this.#counts.values()) negate(counts);
  }

  all(): RingCell[] {
    return Array.from(this.#counts, ([key, counts]) => ({
      series: this.#book.at(Math.floor(key / VENUE_PLACES)),
      venue: key % VENUE_PLACES,
      counts,
    }));
  }

  #of(series: number, venue: number): Counts {
    const key = series * VENUE_PLACES + venue;
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      counts = noCounts();
      this.#counts.set(key, counts);
    }
    return counts;
  }
}
