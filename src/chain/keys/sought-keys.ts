import type { Address } from '../address.ts';
import { addressBytes } from './address-table.ts';

/** An address that is looked for in every transaction: see {@link seekKey}. */
export interface SoughtKey {
  readonly address: Address;
  /** Among all sought keys. */
  readonly place: number;
}

interface Sought extends SoughtKey {
  readonly bytes: Uint8Array;
}

/** -1 for each sought key. */
const nowhere: number[] = [];
/** By first byte: hardly any other key begins as one of these does, so that most are passed over with one look. */
const byFirstByte: (Sought[] | undefined)[] = new Array(256).fill(undefined);
const byAddress = new Map<Address, Sought>();

/** Makes an address one of those that a single walk over a transaction's keys finds all at once. For programs and their like, when code is loaded. */
export function seekKey(address: Address): SoughtKey {
  const known = byAddress.get(address);
  if (known !== undefined) return known;
  const key = { address, place: nowhere.length, bytes: addressBytes(address) };
  nowhere.push(-1);
  byAddress.set(address, key);
  const first = key.bytes[0]!;
  byFirstByte[first] = [...(byFirstByte[first] ?? []), key];
  return key;
}

/**
 * Places of the sought keys among a transaction's keys: those at `offsets`, 32 bytes each, then those that are text.
 * Index by place, -1 for those that are not there.
 */
export function locateSought(
  bytes: Uint8Array,
  offsets: ArrayLike<number>,
  addresses: readonly (Address | undefined)[],
): readonly number[] {
  const found = nowhere.slice();
  for (let i = 0; i < offsets.length; i++) {
    const candidates = byFirstByte[bytes[offsets[i]!]!];
    if (candidates === undefined) continue;
    for (const { place, bytes: wanted } of candidates) {
      if (found[place]! < 0 && holds(bytes, offsets[i]!, wanted)) found[place] = i;
    }
  }
  for (let i = offsets.length; i < addresses.length; i++) {
    const key = byAddress.get(addresses[i]!);
    if (key !== undefined && found[key.place]! < 0) found[key.place] = i;
  }
  return found;
}

function holds(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}
