import type { TradeChunk } from './trade-chunk.ts';

/** Chunks of swaps in order of their slots, one a slot. */
export class ChunkList {
  readonly #chunks: TradeChunk[] = [];

  get size(): number {
    return this.#chunks.length;
  }

  at(place: number): TradeChunk | undefined {
    return this.#chunks[place];
  }

  find(slot: number): TradeChunk | undefined {
    const chunk = this.#chunks[this.placeOf(slot)];
    return chunk?.slot === slot ? chunk : undefined;
  }

  /** Place of the first chunk at or behind a slot. */
  placeOf(slot: number): number {
    let [from, to] = [0, this.#chunks.length];
    // Nearly always the newest.
    if (to > 0 && this.#chunks[to - 1]!.slot < slot) return to;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#chunks[middle]!.slot < slot) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Those of slots from one to another, both included. */
  within(first: number, last: number): readonly TradeChunk[] {
    return this.#chunks.slice(this.placeOf(first), this.placeOf(last + 1));
  }

  insert(place: number, chunk: TradeChunk): void {
    this.#chunks.splice(place, 0, chunk);
  }

  remove(place: number): void {
    this.#chunks.splice(place, 1);
  }

  /** Takes the first ones out. */
  shift(count: number): readonly TradeChunk[] {
    return this.#chunks.splice(0, count);
  }

  [Symbol.iterator](): IterableIterator<TradeChunk> {
    return this.#chunks.values();
  }
}
