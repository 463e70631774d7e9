import { MAX_TYPO_LENGTH } from './edit-distance.ts';

/** Terms that are gone through between two looks at the clock. */
const STRIDE = 16_384;
/** Terms that a list has room for at first, and by how much it grows: what it has is copied then. */
const FIRST_ROOM = 16;
const GROWTH = 1.25;
const LETTER_BITS = 31;

/** Letters of a text, a bit each, several letters to a bit: an edit changes two bits at most. */
export function lettersOf(text: string): number {
  let letters = 0;
  for (const letter of text) letters |= 1 << ((letter.codePointAt(0) ?? 0) & LETTER_BITS);
  return letters >>> 0;
}

/** Bits that are set. */
export function bitCount(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Different terms of one length: where in the run the entries of each begin, and which letters it has. */
class TermList {
  #firsts = new Uint32Array(FIRST_ROOM);
  #letters = new Uint32Array(FIRST_ROOM);
  #count = 0;

  get bytes(): number {
    return 2 * this.#firsts.byteLength;
  }

  push(first: number, letters: number): void {
    if (this.#count === this.#firsts.length) {
      const room = Math.ceil(this.#count * GROWTH);
      this.#firsts = grown(this.#firsts, room);
      this.#letters = grown(this.#letters, room);
    }
    this.#firsts[this.#count] = first;
    this.#letters[this.#count] = letters;
    this.#count += 1;
  }

  /** The first entries of terms that so many edits could make the letters of, a stride at a time. */
  *near({ letters, edits }: NearTerm): Generator<readonly number[]> {
    for (let from = 0; from < this.#count; from += STRIDE) yield this.#nearOf(from, letters, 2 * edits);
  }

  #nearOf(from: number, letters: number, bits: number): readonly number[] {
    const ofTerms = this.#letters;
    const end = Math.min(from + STRIDE, this.#count);
    const found: number[] = [];
    for (let at = from; at < end; at += 1) {
      if (bitCount(ofTerms[at]! ^ letters) <= bits) found.push(this.#firsts[at]!);
    }
    return found;
  }
}

function grown(values: Uint32Array, room: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(room);
  larger.set(values);
  return larger;
}

/** The different terms of a run by their length, but for those that are too long to be looked through for typos. */
export class TermGroups {
  readonly #lists: (TermList | undefined)[] = [];

  get bytes(): number {
    return this.#lists.reduce((sum, list) => sum + (list?.bytes ?? 0), 0);
  }

  /** Takes in a term whose first entry stands there. */
  add(first: number, term: string): void {
    let length = 0;
    for (const _ of term) length += 1;
    if (length > MAX_TYPO_LENGTH) return;
    const list = this.#lists[length] ?? new TermList();
    this.#lists[length] = list;
    list.push(first, lettersOf(term));
  }

  /** The first entries of terms that so many edits could make of the length and the letters, a stride at a time. */
  *near(near: NearTerm): Generator<readonly number[]> {
    for (let length = near.length - near.edits; length <= near.length + near.edits; length += 1) {
      const list = this.#lists[length];
      if (list !== undefined) yield* list.near(near);
    }
  }
}

export interface NearTerm {
  readonly letters: number;
  readonly length: number;
  readonly edits: number;
}
