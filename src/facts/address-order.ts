import type { Address } from '../chain/address.ts';

/** By code units: the same on every machine, unlike a locale's order. */
export function compareAddresses(a: Address, b: Address): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
