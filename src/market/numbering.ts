import { randomInt } from 'node:crypto';
import { homeSlot, nextSlot, slotDistance } from './open-slots.ts';
import { textHash } from './text-hash.ts';

/** Values are spread over so many tables, a power of two: each grows by itself, so that no growth moves more than some thousand. */
const TABLES = 1 << 8;
/** Slots of a table when it is made. */
const FIRST_SLOTS = 8;
/** Of a hundred slots, how many may be taken before there are more. */
const FULL_PCT = 70;
/** A table that is full gets so many times its slots. */
const GROWTH = 1.5;
/** Numbers of a slot: the value's hash, and one more than its number, which is 0 in a free slot. */
const [HASH, NUMBER, SLOT_NUMBERS] = [0, 1, 2];
const HASHES = 2 ** 32;
/** Of an address and the place that refers to it. */
const TEXT_BYTES = 72;

/**
 * Small whole numbers for texts, as long as something refers to them: a number that nobody needs any more goes to the
 * next text that comes, so that arrays by number stay as short as what is alive.
 *
 * Texts are found in flat memory, where a map of hundreds of thousands would hold up everything whenever it grows.
 */
export class Numbering<T extends string> {
  readonly #tables: Uint32Array[] = Array.from({ length: TABLES }, () => new Uint32Array(FIRST_SLOTS * SLOT_NUMBERS));
  /** Texts in each table. */
  readonly #sizes = new Uint32Array(TABLES);
  readonly #values: (T | undefined)[] = [];
  #references: Uint32Array = new Uint32Array(1024);
  readonly #free: number[] = [];
  /** Whoever chooses texts does not know which of them lie in one place. */
  readonly #seed = randomInt(HASHES);
  #bytes = TABLES * FIRST_SLOTS * SLOT_NUMBERS * Uint32Array.BYTES_PER_ELEMENT;

  /** Values that are alive. */
  get size(): number {
    return this.#values.length - this.#free.length;
  }

  /** Of what finds numbers. */
  get tableBytes(): number {
    return this.#bytes;
  }

  /** Texts as long as addresses included. */
  get bytes(): number {
    return this.#bytes + this.#references.byteLength + this.#values.length * TEXT_BYTES;
  }

  /** The value's number, with one reference more. */
  take(value: T): number {
    const hash = this.#hashOf(value);
    const known = this.#find(value, hash);
    if (known !== undefined) {
      this.#references[known]! += 1;
      return known;
    }
    const number = this.#free.pop() ?? this.#values.length;
    this.#values[number] = value;
    if (number >= this.#references.length) this.#references = doubled(this.#references);
    this.#references[number] = 1;
    this.#insert(hash, number);
    return number;
  }

  /** Adds a reference to a number that is in use. */
  retain(number: number): void {
    this.#references[number]! += 1;
  }

  /** Gives a reference up. True when it was the last one, and the number may be another value's from now on. */
  release(number: number): boolean {
    this.#references[number]! -= 1;
    if (this.#references[number] !== 0) return false;
    const hash = this.#hashOf(this.#values[number]!);
    const table = this.#tables[tableOf(hash)]!;
    let place = homeSlot(table, hash, SLOT_NUMBERS);
    while (table[place + NUMBER] !== number + 1) place = nextSlot(table, place, SLOT_NUMBERS);
    free(table, place);
    this.#sizes[tableOf(hash)]! -= 1;
    this.#values[number] = undefined;
    this.#free.push(number);
    return true;
  }

  numberOf(value: T): number | undefined {
    return this.#find(value, this.#hashOf(value));
  }

  valueOf(number: number): T | undefined {
    return this.#values[number];
  }

  #find(value: T, hash: number): number | undefined {
    const table = this.#tables[tableOf(hash)]!;
    for (
      let place = homeSlot(table, hash, SLOT_NUMBERS);
      table[place + NUMBER] !== 0;
      place = nextSlot(table, place, SLOT_NUMBERS)
    ) {
      const number = table[place + NUMBER]! - 1;
      if (table[place + HASH] === hash && this.#values[number] === value) return number;
    }
    return undefined;
  }

  /** Notes the number of a text that has none. */
  #insert(hash: number, number: number): void {
    const at = tableOf(hash);
    let table = this.#tables[at]!;
    if ((this.#sizes[at]! + 1) * 100 > (FULL_PCT * table.length) / SLOT_NUMBERS) {
      table = grown(table);
      this.#bytes += table.byteLength - this.#tables[at]!.byteLength;
      this.#tables[at] = table;
    }
    put(table, hash, number + 1);
    this.#sizes[at]! += 1;
  }

  #hashOf(value: T): number {
    return textHash(value, this.#seed);
  }
}

/** Writes into the first free slot from the home of the hash on. */
function put(table: Uint32Array, hash: number, number: number): void {
  let place = homeSlot(table, hash, SLOT_NUMBERS);
  while (table[place + NUMBER] !== 0) place = nextSlot(table, place, SLOT_NUMBERS);
  table[place + HASH] = hash;
  table[place + NUMBER] = number;
}

/** Frees a slot and moves up what was pushed behind it, so that no search ends early. */
function free(table: Uint32Array, place: number): void {
  let hole = place;
  for (
    let next = nextSlot(table, hole, SLOT_NUMBERS);
    table[next + NUMBER] !== 0;
    next = nextSlot(table, next, SLOT_NUMBERS)
  ) {
    const home = homeSlot(table, table[next + HASH]!, SLOT_NUMBERS);
    // Whoever is nearer to its home than the hole is stays.
    if (slotDistance(table, home, next) < slotDistance(table, hole, next)) continue;
    table[hole + HASH] = table[next + HASH]!;
    table[hole + NUMBER] = table[next + NUMBER]!;
    hole = next;
  }
  table[hole + NUMBER] = 0;
}

function grown(table: Uint32Array): Uint32Array {
  const larger = new Uint32Array(Math.ceil((table.length / SLOT_NUMBERS) * GROWTH) * SLOT_NUMBERS);
  for (let place = 0; place < table.length; place += SLOT_NUMBERS) {
    if (table[place + NUMBER] !== 0) put(larger, table[place + HASH]!, table[place + NUMBER]!);
  }
  return larger;
}

/** The low part of a hash chooses the table, the whole of it the slot in there. */
function tableOf(hash: number): number {
  return hash & (TABLES - 1);
}

export function doubled(array: Uint32Array): Uint32Array {
  const longer = new Uint32Array(2 * array.length);
  longer.set(array);
  return longer;
}
