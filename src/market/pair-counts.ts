/** Slots of the table when it is made; a power of two, as it always is. */
const FIRST_SLOTS = 1 << 10;
/** Of a hundred slots, how many may be taken before there are twice as many. */
const FULL_PCT = 60;
const SECOND_FACTOR = 2 ** 32;

/**
 * Numbers by pairs of whole numbers below 2^21 and 2^32, in flat memory: 12 bytes a slot, where a map of boxed keys
 * takes six times that. A pair whose number is 0 takes no place.
 */
export class PairCounts {
  /** One more than the pair's key; 0 in a free slot. */
  #keys = new Float64Array(FIRST_SLOTS);
  #counts = new Uint32Array(FIRST_SLOTS);
  #size = 0;

  /** Pairs whose number is not 0. */
  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#keys.byteLength + this.#counts.byteLength;
  }

  get(first: number, second: number): number {
    const slot = this.#find(keyOf(first, second));
    return this.#keys[slot] === 0 ? 0 : this.#counts[slot]!;
  }

  /** Adds one and returns the new number. */
  increment(first: number, second: number): number {
    const key = keyOf(first, second);
    let slot = this.#find(key);
    if (this.#keys[slot] !== 0) {
      this.#counts[slot]! += 1;
      return this.#counts[slot]!;
    }
    if ((this.#size + 1) * 100 > FULL_PCT * this.#keys.length) {
      this.#grow();
      slot = this.#find(key);
    }
    this.#keys[slot] = key;
    this.#counts[slot] = 1;
    this.#size += 1;
    return 1;
  }

  /**
   * Takes one away and returns the new number.
   *
   * @throws {RangeError} when the pair's number is 0.
   */
  decrement(first: number, second: number): number {
    const slot = this.#find(keyOf(first, second));
    if (this.#keys[slot] === 0) throw new RangeError(`nothing is counted of ${first} and ${second}`);
    this.#counts[slot]! -= 1;
    const left = this.#counts[slot]!;
    if (left === 0) this.#free(slot);
    return left;
  }

  /** Slot of the key, or the free one where it belongs. */
  #find(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = homeOf(key, mask);
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  /** Frees a slot and moves up what was pushed behind it, so that no search ends early. */
  #free(slot: number): void {
    const mask = this.#keys.length - 1;
    let hole = slot;
    for (let next = (hole + 1) & mask; this.#keys[next] !== 0; next = (next + 1) & mask) {
      const home = homeOf(this.#keys[next]!, mask);
      // Whoever is nearer to its home than the hole is stays.
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      this.#keys[hole] = this.#keys[next]!;
      this.#counts[hole] = this.#counts[next]!;
      hole = next;
    }
    this.#keys[hole] = 0;
    this.#counts[hole] = 0;
    this.#size -= 1;
  }

  #grow(): void {
    const [keys, counts] = [this.#keys, this.#counts];
    this.#keys = new Float64Array(2 * keys.length);
    this.#counts = new Uint32Array(2 * keys.length);
    for (const [slot, key] of keys.entries()) {
      if (key === 0) continue;
      const to = this.#find(key);
      this.#keys[to] = key;
      this.#counts[to] = counts[slot]!;
    }
  }
}

function keyOf(first: number, second: number): number {
  return first * SECOND_FACTOR + second + 1;
}

function homeOf(key: number, mask: number): number {
  const low = key >>> 0;
  const high = Math.floor(key / SECOND_FACTOR);
  let hash = Math.imul(low ^ Math.imul(high, 0x9e37_79b1), 0x85eb_ca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) & mask;
}
