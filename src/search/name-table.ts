import { fold } from './fold.ts';
import { cut, TextPool, withinChunk } from './text-pool.ts';

/** A token as it is found: by its mint, and by its names as they are served. */
export interface NamedToken {
  readonly mint: string;
  /** '' while unknown. */
  readonly symbol: string;
  readonly name: string;
  /** Slot of its creation, 0 while unknown, and its order within that slot: both 32 bits, greater is newer. */
  readonly slot: number;
  readonly within: number;
  /** Its rank by market, from 0: below 2^20. */
  readonly market: number;
}

/** Texts of a token that can be looked for: `words` are those of its name behind the first, each to the name's end. */
export const FIELDS = { mint: 0, symbol: 1, name: 2, words: 3 } as const;
export type Field = (typeof FIELDS)[keyof typeof FIELDS];
export const FIELD_COUNT = 4;

/** Tokens of a block of numbers. */
const BLOCK_BITS = 16;
const BLOCK = 2 ** BLOCK_BITS;
const BLOCK_MASK = BLOCK - 1;
/** An entry is a token's number and where in its name a word begins. */
const OFFSET_BITS = 8;
const OFFSET_MASK = 2 ** OFFSET_BITS - 1;
/** Bytes of a folded name or symbol that are looked at. */
export const MAX_FOLDED = OFFSET_MASK;
/** Words of a name that are looked for, so that a name of single letters weighs no more than others. */
const MAX_WORDS = 12;
/** Bytes of a name or symbol that are given back. */
const MAX_SHOWN = 255;
/** A record begins with the lengths of its mint and its folded symbol. */
const HEAD = 2;
const SPACE = 0x20;
/** Bytes from here on are parts of a character. */
const NOT_PLAIN = 0x80;
const SLOTS = 2 ** 32;
/** Key of a token that is not there any more. */
export const GONE = -1;
/** Most tokens that entries can number. */
export const MAX_TOKENS = 2 ** (32 - OFFSET_BITS);

/** A key of a token: greater is ranked first, by market and then by age. */
export function rankKey(market: number, slot: number): number {
  return market * SLOTS + slot;
}

/** The rank by market in a key of a token that was created in that slot. */
export function marketOf(key: number, slot: number): number {
  return (key - slot) / SLOTS;
}

/** Tokens by number, in the order in which they came: their texts, and the keys by which they are ranked. */
export class NameTable {
  readonly #pool = new TextPool();
  readonly #places: Uint32Array[] = [];
  readonly #keys: Float64Array[] = [];
  readonly #withins: Uint32Array[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#pool.bytes + this.#places.length * BLOCK * 16;
  }

  /** Takes a token in and returns its number. */
  add(token: NamedToken): number {
    const number = this.#count;
    if ((number & BLOCK_MASK) === 0) {
      this.#places.push(new Uint32Array(BLOCK));
      this.#keys.push(new Float64Array(BLOCK));
      this.#withins.push(new Uint32Array(BLOCK));
    }
    const block = number >>> BLOCK_BITS;
    const at = number & BLOCK_MASK;
    this.#places[block]![at] = this.#pool.append(recordOf(token));
    this.#keys[block]![at] = rankKey(token.market, token.slot);
    this.#withins[block]![at] = token.within;
    this.#count += 1;
    return number;
  }

  key(number: number): number {
    return this.#keys[number >>> BLOCK_BITS]![number & BLOCK_MASK]!;
  }

  setKey(number: number, key: number): void {
    this.#keys[number >>> BLOCK_BITS]![number & BLOCK_MASK] = key;
  }

  slot(number: number): number {
    return this.key(number) % SLOTS;
  }

  within(number: number): number {
    return this.#withins[number >>> BLOCK_BITS]![number & BLOCK_MASK]!;
  }

  /** Entries of a token in a field: one, but none of a text that is not there, and one for each inner word. */
  entries(field: Field, number: number): readonly number[] {
    const entry = number * 2 ** OFFSET_BITS;
    if (field !== FIELDS.words) return this.#isEmpty(field, entry) ? [] : [entry];
    const chunk = this.#chunk(number);
    const start = this.#start(FIELDS.name, entry);
    const words: number[] = [];
    for (let at = start; chunk[at] !== 0 && words.length < MAX_WORDS; at += 1) {
      if (chunk[at] === SPACE) words.push(entry + at + 1 - start);
    }
    return words;
  }

  /** Negative when `a` comes first: by text, and equal texts by number. */
  compare(field: Field, a: number, b: number): number {
    const ofA = this.#chunk(numberOf(a));
    const ofB = this.#chunk(numberOf(b));
    let i = this.#start(field, a);
    let j = this.#start(field, b);
    for (; ; i += 1, j += 1) {
      const byte = ofA[i]!;
      const difference = byte - ofB[j]!;
      if (difference !== 0) return difference;
      if (byte === 0) return a - b;
    }
  }

  /** 0 when an entry's text begins with the prefix, negative when it comes before all that do. */
  comparePrefix(field: Field, entry: number, prefix: Uint8Array): number {
    const chunk = this.#chunk(numberOf(entry));
    const start = this.#start(field, entry);
    for (let at = 0; at < prefix.length; at += 1) {
      const difference = chunk[start + at]! - prefix[at]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** True when an entry's text, or at least the word, ends behind so many bytes. */
  endsAt(field: Field, entry: number, length: number, isWord = false): boolean {
    const next = this.#chunk(numberOf(entry))[this.#start(field, entry) + length];
    return next === 0 || (isWord && next === SPACE);
  }

  /** True when both texts are the same up to the end of their first word, or as a whole. */
  isSameTerm(field: Field, a: number, b: number, isWord: boolean): boolean {
    const ofA = this.#chunk(numberOf(a));
    const ofB = this.#chunk(numberOf(b));
    let i = this.#start(field, a);
    let j = this.#start(field, b);
    for (; ; i += 1, j += 1) {
      const x = ofA[i]!;
      const y = ofB[j]!;
      const endsA = x === 0 || (isWord && x === SPACE);
      const endsB = y === 0 || (isWord && y === SPACE);
      if (endsA || endsB) return endsA && endsB;
      if (x !== y) return false;
    }
  }

  /** An entry's folded text: its first word, or all of it. */
  term(field: Field, entry: number, isWord: boolean): string {
    const chunk = this.#chunk(numberOf(entry));
    const start = this.#start(field, entry);
    let end = start;
    while (chunk[end] !== 0 && !(isWord && chunk[end] === SPACE)) end += 1;
    return textOf(chunk, start, end);
  }

  /**
   * Writes a term's code points where each is a byte, as hardly any is not. Returns how many; undefined of other texts and
   * of such as are longer than there is room for.
   */
  readPlain(field: Field, entry: number, isWord: boolean, into: Uint32Array): number | undefined {
    const chunk = this.#chunk(numberOf(entry));
    const start = this.#start(field, entry);
    for (let length = 0; length <= into.length; length += 1) {
      const byte = chunk[start + length]!;
      if (byte === 0 || (isWord && byte === SPACE)) return length;
      if (byte >= NOT_PLAIN) return undefined;
      into[length] = byte;
    }
    return undefined;
  }

  mint(number: number): string {
    return this.term(FIELDS.mint, number * 2 ** OFFSET_BITS, false);
  }

  /** Symbol and name as they were given, cut where they are longer than names are. */
  shown(number: number): Pick<NamedToken, 'symbol' | 'name'> {
    const chunk = this.#chunk(number);
    let at = this.#start(FIELDS.name, number * 2 ** OFFSET_BITS);
    while (chunk[at] !== 0) at += 1;
    const symbolAt = at + 2;
    const symbolEnd = symbolAt + chunk[at + 1]!;
    const nameEnd = symbolEnd + 1 + chunk[symbolEnd]!;
    return { symbol: textOf(chunk, symbolAt, symbolEnd), name: textOf(chunk, symbolEnd + 1, nameEnd) };
  }

  /** True when a token was given just so, but for its rank. Not told of texts that were cut. */
  isGivenAs(number: number, { symbol, name, slot, within }: NamedToken): boolean {
    const shown = this.shown(number);
    return (
      shown.symbol === symbol &&
      shown.name === name &&
      Buffer.byteLength(symbol) <= MAX_SHOWN &&
      Buffer.byteLength(name) <= MAX_SHOWN &&
      this.slot(number) === slot &&
      this.within(number) === within
    );
  }

  #isEmpty(field: Field, entry: number): boolean {
    return this.endsAt(field, entry, 0);
  }

  #chunk(number: number): Uint8Array {
    return this.#pool.chunkAt(this.#places[number >>> BLOCK_BITS]![number & BLOCK_MASK]!);
  }

  /** Where in its token's chunk an entry's text begins. */
  #start(field: Field, entry: number): number {
    const number = entry >>> OFFSET_BITS;
    const place = this.#places[number >>> BLOCK_BITS]![number & BLOCK_MASK]!;
    const record = withinChunk(place);
    if (field === FIELDS.mint) return record + HEAD;
    const chunk = this.#pool.chunkAt(place);
    const symbol = record + HEAD + chunk[record]! + 1;
    if (field === FIELDS.symbol) return symbol;
    return symbol + chunk[record + 1]! + 1 + (entry & OFFSET_MASK);
  }
}

/** Number of an entry's token. */
export function numberOf(entry: number): number {
  return entry >>> OFFSET_BITS;
}

/** Ends a text that is looked for. */
const END = Uint8Array.of(0);

function recordOf({ mint, symbol, name }: NamedToken): Uint8Array {
  const address = cut(mint, MAX_SHOWN);
  const folded = cut(fold(symbol), MAX_FOLDED);
  const shown = [cut(symbol, MAX_SHOWN), cut(name, MAX_SHOWN)];
  return Buffer.concat([
    Uint8Array.of(address.length, folded.length),
    ...[address, END, folded, END, cut(fold(name), MAX_FOLDED), END],
    ...shown.flatMap((text) => [Uint8Array.of(text.length), text]),
  ]);
}

function textOf(chunk: Uint8Array, start: number, end: number): string {
  return Buffer.from(chunk.buffer, chunk.byteOffset + start, end - start).toString('utf8');
}
