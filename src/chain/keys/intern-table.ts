import type { Address } from '../address.ts';

/**
 * Byte keys of 32 bytes and more to one shared string each.
 *
 * Open addressing with a bounded probe: a key lives within PROBES places of
 * its hash, and all its bytes are compared. When those places are all taken by
 * others, the new key replaces one of them, so the table is never "full", never
 * grows, and keys made to collide cost at most a few comparisons. What is
 * forgotten is only the sharing: strings handed out stay valid, and equal by
 * content.
 *
 * This is the innermost step of all decoding: the first 32 bytes are read and
 * compared as eight words without a loop, which is a quarter faster.
 */
export class InternTable {
  readonly #mask: number;
  /** Words of a key, those of the tail behind the first eight included. */
  readonly #words: number;
  readonly #make: MakeString;
  readonly #keys: Int32Array;
  readonly #strings: (Address | undefined)[];
  /** The tail of the key at hand, padded with zeros. */
  readonly #tail: Int32Array;
  /** Over the buffer read last: keys come by the thousand out of the same one. */
  #view: DataView = new DataView(new ArrayBuffer(0));
  #replaced = 0;

  /** `places` is a power of two; keys have 32 to `keyBytes` bytes (a multiple of 4). */
  constructor(places: number, keyBytes: number, make: MakeString) {
    this.#mask = places - 1;
    this.#words = keyBytes / 4;
    this.#make = make;
    this.#keys = new Int32Array(places * this.#words);
    this.#strings = new Array(places).fill(undefined);
    this.#tail = new Int32Array(this.#words - HEAD_WORDS);
  }

  /**
   * The string of bytes[offset, offset + length), which must be there. A key
   * shorter than `keyBytes` counts as the same with zero bytes behind it.
   */
  intern(bytes: Uint8Array, offset: number, length: number): Address {
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    const view = this.#view;
    const at = bytes.byteOffset + offset;
    const w0 = view.getInt32(at, true);
    const w1 = view.getInt32(at + 4, true);
    const w2 = view.getInt32(at + 8, true);
    const w3 = view.getInt32(at + 12, true);
    const w4 = view.getInt32(at + 16, true);
    const w5 = view.getInt32(at + 20, true);
    const w6 = view.getInt32(at + 24, true);
    const w7 = view.getInt32(at + 28, true);
    if (this.#words > HEAD_WORDS) this.#loadTail(bytes, offset, length);
    const keys = this.#keys;
    const home = hashOf(w0, w3, w6) & this.#mask;
    for (let probe = 0; probe < PROBES; probe++) {
      const place = (home + probe) & this.#mask;
      const known = this.#strings[place];
      if (known === undefined) return this.#remember(place, bytes, offset, length);
      const k = place * this.#words;
      const isSameHead =
        keys[k] === w0 &&
        keys[k + 1] === w1 &&
        keys[k + 2] === w2 &&
        keys[k + 3] === w3 &&
        keys[k + 4] === w4 &&
        keys[k + 5] === w5 &&
        keys[k + 6] === w6 &&
        keys[k + 7] === w7;
      if (isSameHead && this.#holdsTail(k + HEAD_WORDS)) return known;
    }
    this.#replaced = (this.#replaced + 1) % PROBES;
    return this.#remember((home + this.#replaced) & this.#mask, bytes, offset, length);
  }

  /** A tail is loaded by words as long as a whole one may be read; what lies behind its end does not count. */
  #loadTail(bytes: Uint8Array, offset: number, length: number): void {
    const tail = this.#tail;
    const at = bytes.byteOffset + offset + HEAD_BYTES;
    if (at + tail.length * 4 > this.#view.byteLength) {
      this.#loadLastTail(bytes, offset, length);
      return;
    }
    for (let word = 0; word < tail.length; word++) {
      const bits = (length - HEAD_BYTES - word * 4) * 8;
      const value = bits > 0 ? this.#view.getInt32(at + word * 4, true) : 0;
      tail[word] = bits > 0 && bits < 32 ? value & ((1 << bits) - 1) : value;
    }
  }

  /** The tail of a key at the very end of its buffer. */
  #loadLastTail(bytes: Uint8Array, offset: number, length: number): void {
    const tail = this.#tail.fill(0);
    for (let i = HEAD_BYTES; i < length; i++) {
      const word = (i - HEAD_BYTES) >> 2;
      tail[word] = tail[word]! | (bytes[offset + i]! << ((i & 3) * 8));
    }
  }

  #holdsTail(start: number): boolean {
    for (let i = 0; i < this.#tail.length; i++) if (this.#keys[start + i] !== this.#tail[i]) return false;
    return true;
  }

  #remember(place: number, bytes: Uint8Array, offset: number, length: number): Address {
    // Made first: when it throws, the table is as it was.
    const string = this.#make(bytes, offset, length);
    const start = place * this.#words;
    const at = bytes.byteOffset + offset;
    for (let i = 0; i < HEAD_WORDS; i++) this.#keys[start + i] = this.#view.getInt32(at + i * 4, true);
    this.#keys.set(this.#tail, start + HEAD_WORDS);
    this.#strings[place] = string;
    return string;
  }
}

type MakeString = (bytes: Uint8Array, offset: number, length: number) => Address;

const PROBES = 8;
const HEAD_WORDS = 8;
const HEAD_BYTES = HEAD_WORDS * 4;

/** Three words of a key are as good as all: keys are points of a curve, hashes, or base58 of them. */
function hashOf(first: number, second: number, third: number): number {
  let hash = first ^ Math.imul(second, 0x9e3779b1) ^ Math.imul(third, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
