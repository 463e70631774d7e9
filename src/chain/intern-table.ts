import type { Address } from './address.ts';

/**
 * Short byte keys to one shared string each.
 *
 * Open addressing with a bounded probe: a key lives within PROBES places of
 * its hash, and all its bytes are compared. When those places are all taken by
 * others, the new key replaces one of them, so the table is never "full", never
 * grows, and keys made to collide cost at most a few comparisons. What is
 * forgotten is only the sharing: strings handed out stay valid, and equal by
 * content.
 */
export class InternTable {
  readonly #mask: number;
  readonly #words: number;
  readonly #make: (bytes: Uint8Array, offset: number, length: number) => Address;
  readonly #keys: Uint32Array;
  readonly #strings: (Address | undefined)[];
  /** The key at hand, copied and padded with zeros so that it can be read as aligned words. */
  readonly #key: Uint8Array;
  readonly #keyWords: Uint32Array;
  #replaced = 0;

  /** `places` is a power of two; keys of up to `keyBytes` (a multiple of 4) must not end in zero bytes when shorter. */
  constructor(places: number, keyBytes: number, make: (bytes: Uint8Array, offset: number, length: number) => Address) {
    this.#mask = places - 1;
    this.#words = keyBytes / 4;
    this.#make = make;
    this.#keys = new Uint32Array(places * this.#words);
    this.#strings = new Array(places).fill(undefined);
    this.#key = new Uint8Array(keyBytes);
    this.#keyWords = new Uint32Array(this.#key.buffer);
  }

  /** The string of bytes[offset, offset + length), which must be there. */
  intern(bytes: Uint8Array, offset: number, length: number): Address {
    const key = this.#key;
    for (let i = 0; i < length; i++) key[i] = bytes[offset + i]!;
    for (let i = length; i < key.length; i++) key[i] = 0;
    const home = this.#home();
    for (let probe = 0; probe < PROBES; probe++) {
      const place = (home + probe) & this.#mask;
      const known = this.#strings[place];
      if (known === undefined) return this.#remember(place, bytes, offset, length);
      if (this.#holdsKey(place)) return known;
    }
    this.#replaced = (this.#replaced + 1) % PROBES;
    return this.#remember((home + this.#replaced) & this.#mask, bytes, offset, length);
  }

  #home(): number {
    const words = this.#keyWords;
    let hash = words[0]! ^ Math.imul(words[3]!, 0x9e3779b1) ^ Math.imul(words[6]!, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) & this.#mask;
  }

  #holdsKey(place: number): boolean {
    const start = place * this.#words;
    for (let i = 0; i < this.#words; i++) if (this.#keys[start + i] !== this.#keyWords[i]) return false;
    return true;
  }

  #remember(place: number, bytes: Uint8Array, offset: number, length: number): Address {
    // Made first: when it throws, the table is as it was.
    const string = this.#make(bytes, offset, length);
    this.#keys.set(this.#keyWords, place * this.#words);
    this.#strings[place] = string;
    return string;
  }
}

const PROBES = 8;
