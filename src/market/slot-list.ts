/** So many slots in front may be gone before the list is made shorter. */
const MOST_GONE = 64;

/** Slots in order, most of which come at the end and go at the front. */
export class SlotList {
  #slots: number[] = [];
  #first = 0;

  get size(): number {
    return this.#slots.length - this.#first;
  }

  /** The first one; undefined without any. */
  get first(): number | undefined {
    return this.#slots[this.#first];
  }

  /** The first one behind a slot; undefined when there is none. */
  behind(slot: number): number | undefined {
    return this.#slots[this.#placeOf(slot + 1)];
  }

  /** The last one up to a slot, that one included; undefined when there is none. */
  upTo(slot: number): number | undefined {
    const place = this.#placeOf(slot + 1) - 1;
    return place < this.#first ? undefined : this.#slots[place];
  }

  /** Adds a slot, unless it is there. */
  add(slot: number): void {
    const place = this.#placeOf(slot);
    if (place === this.#slots.length) this.#slots.push(slot);
    else if (this.#slots[place] !== slot) this.#slots.splice(place, 0, slot);
  }

  /** Takes a slot out, if it is there. */
  remove(slot: number): void {
    const place = this.#placeOf(slot);
    if (this.#slots[place] !== slot) return;
    if (place !== this.#first) this.#slots.splice(place, 1);
    else {
      this.#first += 1;
      if (this.#first < MOST_GONE || this.#first < this.#slots.length - this.#first) return;
      this.#slots = this.#slots.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Place of the first slot at or behind this one. */
  #placeOf(slot: number): number {
    let [from, to] = [this.#first, this.#slots.length];
    // Nearly always the newest, or the oldest.
    if (to === from || this.#slots[to - 1]! < slot) return to;
    if (this.#slots[to - 1] === slot) return to - 1;
    if (this.#slots[from]! >= slot) return from;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#slots[middle]! < slot) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
