import type { Address } from '../chain/address.ts';

/**
 * Derived addresses by what they derive from. A derivation costs some hundred
 * microseconds of hashing and curve arithmetic. Two generations bound the
 * memory: when the young one is full it replaces the old one, so that what is
 * in use stays.
 */
export class AddressCache {
  readonly #capacity: number;
  #young = new Map<string, Address>();
  #old = new Map<string, Address>();

  /** At most twice `capacity` addresses are kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, derive: () => Address): Address {
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    const address = this.#old.get(key) ?? derive();
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, address);
    return address;
  }
}
