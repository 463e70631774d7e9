import { homeSlot, nextSlot, slotDistance } from './open-slots.ts';

/** Pairs are spread over so many tables, a power of two: each grows by itself, so that no growth moves more than some thousand pairs. */
const TABLES = 1 << 10;
/** Slots of a table when it is made. */
const FIRST_SLOTS = 8;
/** Of a hundred slots, how many may be taken before there are more. */
const FULL_PCT = 70;
/** A table that is full gets so many times its slots. */
const GROWTH = 1.5;
/** Numbers of a slot: both of the pair, and what is counted of it, which is 0 in a free slot. */
const [FIRST, SECOND, COUNT, SLOT_NUMBERS] = [0, 1, 2, 3];

/**
 * Numbers by pairs of whole numbers below 2^32, in flat memory: 12 bytes a slot, where a map of boxed keys takes six
 * times that. A pair whose number is 0 takes no place.
 */
export class PairCounts {
  readonly #tables: Uint32Array[] = Array.from({ length: TABLES }, () => new Uint32Array(FIRST_SLOTS * SLOT_NUMBERS));
  /** Pairs in each table. */
  readonly #sizes = new Uint32Array(TABLES);
  #size = 0;
  #bytes = TABLES * FIRST_SLOTS * SLOT_NUMBERS * Uint32Array.BYTES_PER_ELEMENT;

  /** Pairs whose number is not 0. */
  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(first: number, second: number): number {
    const hash = hashOf(first, second);
    const table = this.#tables[tableOf(hash)]!;
    return table[placeOf(table, hash, first, second) + COUNT]!;
  }

  /** Adds one and returns the new number. */
  increment(first: number, second: number): number {
    const hash = hashOf(first, second);
    const number = tableOf(hash);
    let table = this.#tables[number]!;
    let place = placeOf(table, hash, first, second);
    if (table[place + COUNT] === 0) {
      const slots = table.length / SLOT_NUMBERS;
      if ((this.#sizes[number]! + 1) * 100 > FULL_PCT * slots) {
        table = grown(table);
        this.#bytes += table.byteLength - this.#tables[number]!.byteLength;
        this.#tables[number] = table;
        place = placeOf(table, hash, first, second);
      }
      table[place + FIRST] = first;
      table[place + SECOND] = second;
      this.#sizes[number]! += 1;
      this.#size += 1;
    }
    table[place + COUNT]! += 1;
    return table[place + COUNT]!;
  }

  /** Takes one away and returns the new number; undefined, and nothing is done, when it is 0 already. */
  decrement(first: number, second: number): number | undefined {
    const hash = hashOf(first, second);
    const number = tableOf(hash);
    const table = this.#tables[number]!;
    const place = placeOf(table, hash, first, second);
    if (table[place + COUNT] === 0) return undefined;
    table[place + COUNT]! -= 1;
    const left = table[place + COUNT]!;
    if (left === 0) {
      free(table, place);
      this.#sizes[number]! -= 1;
      this.#size -= 1;
    }
    return left;
  }
}

/** Place of the pair's slot, or of the free one where it belongs. */
function placeOf(table: Uint32Array, hash: number, first: number, second: number): number {
  let place = homeSlot(table, hash, SLOT_NUMBERS);
  while (table[place + COUNT] !== 0 && (table[place + FIRST] !== first || table[place + SECOND] !== second)) {
    place = nextSlot(table, place, SLOT_NUMBERS);
  }
  return place;
}

/** Frees a slot and moves up what was pushed behind it, so that no search ends early. */
function free(table: Uint32Array, place: number): void {
  let hole = place;
  for (
    let next = nextSlot(table, hole, SLOT_NUMBERS);
    table[next + COUNT] !== 0;
    next = nextSlot(table, next, SLOT_NUMBERS)
  ) {
    const home = homeSlot(table, hashOf(table[next + FIRST]!, table[next + SECOND]!), SLOT_NUMBERS);
    // Whoever is nearer to its home than the hole is stays.
    if (slotDistance(table, home, next) < slotDistance(table, hole, next)) continue;
    for (let at = 0; at < SLOT_NUMBERS; at += 1) table[hole + at] = table[next + at]!;
    hole = next;
  }
  table[hole + COUNT] = 0;
}

function grown(table: Uint32Array): Uint32Array {
  const larger = new Uint32Array(Math.ceil((table.length / SLOT_NUMBERS) * GROWTH) * SLOT_NUMBERS);
  for (let place = 0; place < table.length; place += SLOT_NUMBERS) {
    if (table[place + COUNT] === 0) continue;
    const [first, second] = [table[place + FIRST]!, table[place + SECOND]!];
    const to = placeOf(larger, hashOf(first, second), first, second);
    for (let at = 0; at < SLOT_NUMBERS; at += 1) larger[to + at] = table[place + at]!;
  }
  return larger;
}

/** The low part of a hash chooses the table, the whole of it the slot in there. */
function tableOf(hash: number): number {
  return hash & (TABLES - 1);
}

function hashOf(first: number, second: number): number {
  let hash = Math.imul(second ^ Math.imul(first, 0x9e37_79b1), 0x85eb_ca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
