import type { NamedToken } from '../../src/search/name-table.ts';
import type { Random } from '../../src/simulator/random.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VOWELS = 'aeiou';
const CONSONANTS = 'bcdfghklmnprstvwz';
const MINT_LENGTH = 44;
const COPIED = ['Pepe', 'Doge', 'Bonk', 'Moon Frog', 'dogwifhat'];

/** Tokens as a launchpad has them: many of few words, many copies, most with a word that few others have. */
export class MadeUpNames {
  readonly #random: Random;
  readonly #words: readonly string[];

  /** `words`: how many different ones there are, of which the first ones are in most names. */
  constructor(random: Random, words: number) {
    this.#random = random;
    this.#words = Array.from({ length: words }, () => this.#newWord());
  }

  token(slot: number): NamedToken {
    const random = this.#random;
    const name = random.between(0, 9) === 0 ? random.pick(COPIED) : this.#newName();
    return {
      mint: Array.from({ length: MINT_LENGTH }, () => BASE58[random.between(0, BASE58.length - 1)]).join(''),
      symbol: name
        .split(' ')
        .map((word) => word.slice(0, 5))
        .join('')
        .toUpperCase(),
      name,
      slot,
      within: random.between(0, 2 ** 31),
      // Nine of ten are worth what they were at first.
      market: random.between(0, 9) > 0 ? random.between(0, 1) * 45 : random.between(40, 70),
    };
  }

  /** A word of names, the common ones more often. */
  word(): string {
    const { length } = this.#words;
    const at = Math.floor(length * (this.#random.between(0, 2 ** 20) / 2 ** 20) ** 3);
    return this.#words[Math.min(at, length - 1)]!;
  }

  #newName(): string {
    return Array.from({ length: this.#random.between(1, 3) }, () => {
      const word = this.word();
      return word.charAt(0).toUpperCase() + word.slice(1);
    }).join(' ');
  }

  #newWord(): string {
    const random = this.#random;
    const syllables = random.between(1, 4);
    let word = '';
    for (let syllable = 0; syllable < syllables; syllable += 1) {
      word += CONSONANTS[random.between(0, CONSONANTS.length - 1)];
      word += VOWELS[random.between(0, VOWELS.length - 1)];
    }
    return random.between(0, 1) === 0 ? word : word + CONSONANTS[random.between(0, CONSONANTS.length - 1)];
  }
}

/** A word with a letter put in, taken out, or changed. */
export function withTypo(word: string, random: Random): string {
  const at = random.between(1, word.length - 1);
  const letter = CONSONANTS[random.between(0, CONSONANTS.length - 1)]!;
  const kind = random.between(0, 2);
  return word.slice(0, at) + (kind === 0 ? '' : letter) + word.slice(kind === 1 ? at : at + 1);
}
