import type { Address } from '../address.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { decodeBase58 } from './base58.ts';

/** Addresses whose bytes are kept, in each of two generations: 2 MB of words apiece. */
const GENERATION_SIZE = 65_536;
const WORDS = 8;

/**
 * The bytes of addresses by their text, eight words each, side by side in one
 * array: writing one, or comparing with it, touches no object but that.
 *
 * Two generations bound the memory: when the young one is full, the old one is
 * forgotten and the young one takes its place, so what is in use survives.
 */
class Generation {
  readonly places = new Map<Address, number>();
  readonly words = new Int32Array(GENERATION_SIZE * WORDS);
}

let young = new Generation();
let old = new Generation();

/** Writes the 32 bytes of an address. Throws MalformedWire when the text is not one. */
export function writeAddress(address: Address, target: DataView, offset: number): void {
  const from = locate(address);
  const { words } = young;
  target.setInt32(offset, words[from]!, true);
  target.setInt32(offset + 4, words[from + 1]!, true);
  target.setInt32(offset + 8, words[from + 2]!, true);
  target.setInt32(offset + 12, words[from + 3]!, true);
  target.setInt32(offset + 16, words[from + 4]!, true);
  target.setInt32(offset + 20, words[from + 5]!, true);
  target.setInt32(offset + 24, words[from + 6]!, true);
  target.setInt32(offset + 28, words[from + 7]!, true);
}

/**
 * Finds which of the keys at `offsets`, each 32 bytes that are there, is the address;
 * -1 when none is. Throws MalformedWire when the text is no address.
 */
export function findAddress(bytes: Uint8Array, offsets: ArrayLike<number>, address: Address): number {
  if (offsets.length === 0) return -1;
  const from = locate(address);
  const firstByte = young.words[from]! & 0xff;
  for (let i = 0; i < offsets.length; i++) {
    const at = offsets[i]!;
    // Hardly ever are the first bytes of two keys the same.
    if (bytes[at] === firstByte && isSame(bytes, at, from)) return i;
  }
  return -1;
}

function isSame(bytes: Uint8Array, at: number, from: number): boolean {
  const { words } = young;
  for (let i = 0; i < WORDS * 4; i++) {
    if (bytes[at + i] !== ((words[from + (i >> 2)]! >>> ((i & 3) * 8)) & 0xff)) return false;
  }
  return true;
}

/** Place at which the words of an address begin in the young generation. */
function locate(address: Address): number {
  return young.places.get(address) ?? remember(address);
}

function remember(address: Address): number {
  // Made first: when it throws, nothing has changed.
  const words = recall(address) ?? decode(address);
  if (young.places.size >= GENERATION_SIZE) {
    old = young;
    young = new Generation();
  }
  const from = young.places.size * WORDS;
  young.words.set(words, from);
  young.places.set(address, from);
  return from;
}

function recall(address: Address): Int32Array | undefined {
  const from = old.places.get(address);
  return from === undefined ? undefined : old.words.subarray(from, from + WORDS);
}

function decode(address: Address): Int32Array {
  const bytes = decodeBase58(address);
  if (bytes.length !== WORDS * 4) throw new MalformedWire(`an address of ${bytes.length} bytes`);
  const read = new DataView(bytes.buffer, bytes.byteOffset);
  return Int32Array.from({ length: WORDS }, (_, i) => read.getInt32(i * 4, true));
}
