import type { Address } from './address.ts';
import { decodeBase58, encodeAddress } from './base58.ts';
import { MalformedWire } from './malformed-wire.ts';

/**
 * 32 bytes to one shared string. The same few thousand keys (programs, mints,
 * vaults, bots) fill every block, and a look-up costs a fraction of base58.
 *
 * Open addressing with a bounded probe: a key lives within PROBES places of
 * its hash. When those are all taken by others, the new key replaces one of
 * them, so the table is never "full", never grows, and keys made to collide cost
 * at most a few comparisons. What is forgotten is only the sharing: strings
 * handed out stay valid, and equal by content.
 */
const PLACES = 1 << 17;
const PROBES = 8;
const KEY_WORDS = 8;

const keys = new Uint32Array(PLACES * KEY_WORDS);
const strings: (Address | undefined)[] = new Array(PLACES).fill(undefined);

// One key at a time, copied so that it can be read as aligned 32-bit words.
const key = new Uint8Array(32);
const keyWords = new Uint32Array(key.buffer);
let replaced = 0;

/** The address held in 32 bytes at `offset`. Throws MalformedWire when they are not there. */
export function internAddress(bytes: Uint8Array, offset: number): Address {
  if (offset < 0 || offset + 32 > bytes.length) throw new MalformedWire('an address reaches past its bytes');
  for (let i = 0; i < 32; i++) key[i] = bytes[offset + i]!;
  const home = hashOfKey();
  for (let probe = 0; probe < PROBES; probe++) {
    const place = (home + probe) & (PLACES - 1);
    const known = strings[place];
    if (known === undefined) return remember(place, bytes, offset);
    if (isKeyAt(place)) return known;
  }
  replaced = (replaced + 1) & (PROBES - 1);
  return remember((home + replaced) & (PLACES - 1), bytes, offset);
}

function hashOfKey(): number {
  let hash = keyWords[0]! ^ Math.imul(keyWords[3]!, 0x9e3779b1) ^ Math.imul(keyWords[6]!, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & (PLACES - 1);
}

function isKeyAt(place: number): boolean {
  const at = place * KEY_WORDS;
  return (
    keys[at] === keyWords[0] &&
    keys[at + 1] === keyWords[1] &&
    keys[at + 2] === keyWords[2] &&
    keys[at + 3] === keyWords[3] &&
    keys[at + 4] === keyWords[4] &&
    keys[at + 5] === keyWords[5] &&
    keys[at + 6] === keyWords[6] &&
    keys[at + 7] === keyWords[7]
  );
}

function remember(place: number, bytes: Uint8Array, offset: number): Address {
  const address = encodeAddress(bytes, offset);
  keys.set(keyWords, place * KEY_WORDS);
  strings[place] = address;
  return address;
}

/** Addresses whose bytes are kept, in each of two generations. */
const GENERATION_SIZE = 65_536;

let young = new Map<Address, Uint8Array>();
let old = new Map<Address, Uint8Array>();

/**
 * The 32 bytes of an address. The array is shared between callers: read it,
 * never write to it. Throws MalformedWire when the text is not an address.
 *
 * The cache keeps two generations: when the young one is full, the old one is
 * forgotten and the young one takes its place, so what is in use survives.
 */
export function addressBytes(address: Address): Uint8Array {
  const known = young.get(address);
  if (known !== undefined) return known;
  const aged = old.get(address);
  const bytes = aged ?? decodeAddress(address);
  if (young.size >= GENERATION_SIZE) {
    old = young;
    young = new Map();
  }
  young.set(address, bytes);
  return bytes;
}

function decodeAddress(address: Address): Uint8Array {
  const bytes = decodeBase58(address);
  if (bytes.length !== 32) throw new MalformedWire(`an address of ${bytes.length} bytes`);
  return bytes;
}
