import type { Address } from '../../chain/address.ts';

/**
 * About how many different addresses there were, in 128 bytes: each sets the bit that its text chooses, and the
 * share of bits that are still clear tells the number (linear counting). Right to a few of a hundred up to 2,000, and
 * never told above 5,000.
 */
export interface Spread {
  /** Takes an address in. True when none before it had its bit. */
  add(address: Address): boolean;
  /** True when it, or another with its bit, was taken in. */
  has(address: Address): boolean;
  readonly count: number;
  /** The bits, as base64. */
  readonly text: string;
}

const BYTES = 128;
const BITS = 8 * BYTES;
const MAX_COUNT = 5_000;
/** An empty one, or what one has written; undefined of a text that none wrote. */
export function createSpread(): Spread;
export function createSpread(text: string): Spread | undefined;
export function createSpread(text?: string): Spread | undefined {
  const bits = text === undefined ? new Uint8Array(BYTES) : Buffer.from(text, 'base64');
  if (bits.length !== BYTES) return undefined;
  let set = 0;
  for (const byte of bits) set += bitsOf(byte);
  return {
    add(address) {
      const bit = bitFor(address);
      const mask = 1 << (bit & 7);
      const before = bits[bit >> 3] ?? 0;
      if ((before & mask) !== 0) return false;
      bits[bit >> 3] = before | mask;
      set += 1;
      return true;
    },
    has(address) {
      const bit = bitFor(address);
      return ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
    },
    get count() {
      return set === BITS ? MAX_COUNT : Math.min(MAX_COUNT, Math.round(-BITS * Math.log(1 - set / BITS)));
    },
    get text() {
      return Buffer.from(bits).toString('base64');
    },
  };
}

function bitFor(address: Address): number {
  const hash = hashOf(address);
  return ((hash >>> 10) ^ hash) & (BITS - 1);
}

/** FNV-1a, 32 bits, the same in every process: what was written is read again. */
export function hashOf(address: Address): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < address.length; index += 1) {
    hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

function bitsOf(byte: number): number {
  let [rest, count] = [byte, 0];
  for (; rest !== 0; rest >>= 1) count += rest & 1;
  return count;
}
