import { type Counts, carryOf } from './sums.ts';

const FIRST_SLOTS = 64;
/** Of a hundred slots, how many may be taken before there are twice as many. */
const FULL_PCT = 60;
const [BUYS, SELLS, LOW, HIGH, CELL_NUMBERS] = [0, 1, 2, 3, 4];
const LOW_END = 2 ** 32;
const SLOT_BYTES = 4 + 8 * CELL_NUMBERS;

/** What adding to a cell did: it is a new one, it is empty now and gone, or it is one that was and is there. */
export type CellChange = 'made' | 'gone' | 'kept';

/**
 * Sums by key that change, in flat memory: a table with open slots. As objects in a map they outlived the youngest
 * garbage by the ten thousand, and were half of what the collector moved.
 */
export class OpenCells {
  /** One more than the key; 0 in a free slot. */
  #keys: Uint32Array;
  #sums: Float64Array;
  /** By how many bits a hash is shifted to be a slot. */
  #shift: number;
  #size = 0;

  /** @param cells about how many there will be. */
  constructor(cells = 0) {
    let slots = FIRST_SLOTS;
    while (cells * 100 > FULL_PCT * slots) slots *= 2;
    this.#keys = new Uint32Array(slots);
    this.#sums = new Float64Array(slots * CELL_NUMBERS);
    this.#shift = 32 - Math.log2(slots);
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#keys.length * SLOT_BYTES;
  }

  /** Adds to the sums of a key, or takes out of them. A key whose sums hold no swap any more is forgotten. */
  add(key: number, { buys, sells, low, high }: Readonly<Counts>, sign: 1 | -1): CellChange {
    let slot = this.#find(key);
    const isNew = this.#keys[slot] === 0;
    if (isNew) {
      if ((this.#size + 1) * 100 > FULL_PCT * this.#keys.length) {
        this.#grow();
        slot = this.#find(key);
      }
      this.#keys[slot] = key + 1;
      this.#size += 1;
    }
    const sums = this.#sums;
    const at = slot * CELL_NUMBERS;
    sums[at + BUYS]! += sign * buys;
    sums[at + SELLS]! += sign * sells;
    const sum = sums[at + LOW]! + sign * low;
    const carry = carryOf(sum);
    sums[at + LOW] = sum - carry * LOW_END;
    sums[at + HIGH]! += sign * high + carry;
    if (sums[at + BUYS] === 0 && sums[at + SELLS] === 0) {
      this.#free(slot);
      return isNew ? 'kept' : 'gone';
    }
    return isNew ? 'made' : 'kept';
  }

  /** Slots of the table, those that are free too. */
  get slots(): number {
    return this.#keys.length;
  }

  /** Shows every key with its sums, which are others behind the call: of all slots, or of some of them. */
  visit(visitor: (key: number, counts: Readonly<Counts>) => void, from = 0, until = this.#keys.length): void {
    const shown: Counts = { buys: 0, sells: 0, low: 0, high: 0 };
    for (let slot = from; slot < until && slot < this.#keys.length; slot += 1) {
      const key = this.#keys[slot]!;
      if (key === 0) continue;
      const at = slot * CELL_NUMBERS;
      shown.buys = this.#sums[at + BUYS]!;
      shown.sells = this.#sums[at + SELLS]!;
      shown.low = this.#sums[at + LOW]!;
      shown.high = this.#sums[at + HIGH]!;
      visitor(key - 1, shown);
    }
  }

  #homeOf(key: number): number {
    return Math.imul(key, 0x9e37_79b1) >>> this.#shift;
  }

  /** Slot of the key, or the free one where it belongs. */
  #find(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = this.#homeOf(key);
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== key + 1) slot = (slot + 1) & mask;
    return slot;
  }

  /** Frees a slot and moves up what was pushed behind it, so that no search ends early. */
  #free(slot: number): void {
    const mask = this.#keys.length - 1;
    let hole = slot;
    for (let next = (hole + 1) & mask; this.#keys[next] !== 0; next = (next + 1) & mask) {
      const home = this.#homeOf(this.#keys[next]! - 1);
      // Whoever is nearer to its home than the hole is stays.
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      this.#keys[hole] = this.#keys[next]!;
      this.#sums.copyWithin(hole * CELL_NUMBERS, next * CELL_NUMBERS, (next + 1) * CELL_NUMBERS);
      hole = next;
    }
    this.#keys[hole] = 0;
    this.#sums.fill(0, hole * CELL_NUMBERS, (hole + 1) * CELL_NUMBERS);
    this.#size -= 1;
  }

  #grow(): void {
    const [keys, sums] = [this.#keys, this.#sums];
    this.#keys = new Uint32Array(2 * keys.length);
    this.#sums = new Float64Array(2 * sums.length);
    this.#shift -= 1;
    for (let slot = 0; slot < keys.length; slot += 1) {
      if (keys[slot] === 0) continue;
      const to = this.#find(keys[slot]! - 1);
      this.#keys[to] = keys[slot]!;
      for (let at = 0; at < CELL_NUMBERS; at += 1) this.#sums[to * CELL_NUMBERS + at] = sums[slot * CELL_NUMBERS + at]!;
    }
  }
}
