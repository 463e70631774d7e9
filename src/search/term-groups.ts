/** Groups of a block: they are gone through a block at a time. */
const BLOCK = 16_384;

/** Different terms of a sorted run: where the entries of each begin, how long it is and which letters it has. */
export interface TermBlock {
  readonly firsts: Uint32Array;
  readonly letters: Uint32Array;
  readonly lengths: Uint8Array;
}

const LONGEST = 255;
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

/** The terms of a run, in the order of its entries. */
export class TermGroups {
  readonly #blocks: TermBlock[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get blocks(): readonly TermBlock[] {
    return this.#blocks;
  }

  get bytes(): number {
    return this.#blocks.length * BLOCK * 9;
  }

  add(first: number, term: string): void {
    const at = this.#count % BLOCK;
    if (at === 0) {
      this.#blocks.push({
        firsts: new Uint32Array(BLOCK),
        letters: new Uint32Array(BLOCK),
        lengths: new Uint8Array(BLOCK),
      });
    }
    const block = this.#blocks.at(-1)!;
    block.firsts[at] = first;
    block.letters[at] = lettersOf(term);
    let length = 0;
    for (const _ of term) length += 1;
    block.lengths[at] = Math.min(length, LONGEST);
    this.#count += 1;
  }

  /** Place in the run at which a group begins. */
  first(group: number): number {
    return this.#blocks[Math.floor(group / BLOCK)]!.firsts[group % BLOCK]!;
  }

  /** Numbers of the groups of a block that so many edits could make `letters` and `length` of. */
  near(block: number, { letters, length, edits }: NearTerm): readonly number[] {
    const { letters: ofTerms, lengths } = this.#blocks[block]!;
    const found: number[] = [];
    const end = Math.min(BLOCK, this.#count - block * BLOCK);
    const shortest = length - edits;
    const longest = length + edits;
    for (let at = 0; at < end; at += 1) {
      const ofTerm = lengths[at]!;
      if (ofTerm < shortest || ofTerm > longest) continue;
      if (bitCount(ofTerms[at]! ^ letters) <= 2 * edits) found.push(block * BLOCK + at);
    }
    return found;
  }
}

export interface NearTerm {
  readonly letters: number;
  readonly length: number;
  readonly edits: number;
}
