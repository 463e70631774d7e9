import type { TradeChunk } from './trade-chunk.ts';

/** So many chunks in front may be gone before the list is made shorter: that moves all others. */
const MOST_GONE = 1_024;

/** Chunks of swaps in order of their slots, one a slot. Nearly all come at the end and go at the front. */
export class ChunkList {
  readonly #chunks: (TradeChunk | undefined)[] = [];
  /** Chunks in front that are gone. */
  #gone = 0;

  get size(): number {
    return this.#chunks.length - this.#gone;
  }

  at(place: number): TradeChunk | undefined {
    return place < 0 ? undefined : this.#chunks[this.#gone + place];
  }

  find(slot: number): TradeChunk | undefined {
    const chunk = this.at(this.placeOf(slot));
    return chunk?.slot === slot ? chunk : undefined;
  }

  /** Place of the first chunk at or behind a slot. */
  placeOf(slot: number): number {
    let [from, to] = [0, this.size];
    // Nearly always the newest.
    if (to > 0 && this.at(to - 1)!.slot < slot) return to;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.at(middle)!.slot < slot) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The last chunk up to a second. Times do not run backwards with slots. */
  upTo(time: number): TradeChunk | undefined {
    let [from, to] = [0, this.size];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.at(middle)!.time <= time) from = middle + 1;
      else to = middle;
    }
    return this.at(from - 1);
  }

  /** Those of slots from one to another, both included. */
  within(first: number, last: number): readonly TradeChunk[] {
    return this.#held(this.placeOf(first), this.placeOf(last + 1));
  }

  insert(place: number, chunk: TradeChunk): void {
    this.#chunks.splice(this.#gone + place, 0, chunk);
  }

  remove(place: number): void {
    this.#chunks.splice(this.#gone + place, 1);
  }

  /** Takes the first ones out. */
  shift(count: number): readonly TradeChunk[] {
    const taken = this.#held(0, count);
    this.#chunks.fill(undefined, this.#gone, this.#gone + taken.length);
    this.#gone += taken.length;
    if (this.#gone >= MOST_GONE) {
      this.#chunks.splice(0, this.#gone);
      this.#gone = 0;
    }
    return taken;
  }

  *[Symbol.iterator](): IterableIterator<TradeChunk> {
    for (let place = 0; place < this.size; place += 1) yield this.at(place)!;
  }

  #held(from: number, to: number): TradeChunk[] {
    return this.#chunks.slice(this.#gone + from, this.#gone + to).filter((chunk) => chunk !== undefined);
  }
}
