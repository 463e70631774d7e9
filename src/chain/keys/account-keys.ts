import type { Address } from '../address.ts';
import type { AccountKeys } from '../block.ts';
import { MAX_KEYS } from '../limits.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { internAddress } from './address-table.ts';
import { findAddress } from './address-words.ts';
import { locateSought, type SoughtKey } from './sought-keys.ts';

/**
 * Account keys that come as bytes at offsets, as text, or (a base64 transaction
 * with its looked-up addresses in JSON) as both.
 */
export class LazyAccountKeys implements AccountKeys {
  readonly length: number;
  private readonly bytes: Uint8Array;
  /** Starts of the 32 bytes of each key that came as bytes: those that came as text are behind them. */
  private readonly offsets: ArrayLike<number>;
  private readonly addresses: (Address | undefined)[];
  /** Places of the sought keys. */
  private located: readonly number[] | undefined = undefined;

  private constructor(bytes: Uint8Array, offsets: ArrayLike<number>, addresses: (Address | undefined)[]) {
    if (addresses.length > MAX_KEYS) throw new MalformedWire(`${addresses.length} account keys`);
    this.length = addresses.length;
    this.bytes = bytes;
    this.offsets = offsets;
    this.addresses = addresses;
  }

  /** Keys of 32 bytes at offsets, then keys that are text already. */
  static fromBytes(bytes: Uint8Array, offsets: ArrayLike<number>, texts: readonly string[] = []): LazyAccountKeys {
    const addresses: (Address | undefined)[] = new Array(offsets.length).fill(undefined);
    for (const text of texts) addresses.push(asAddress(text));
    return new LazyAccountKeys(bytes, offsets, addresses);
  }

  static fromTexts(texts: readonly string[]): LazyAccountKeys {
    return new LazyAccountKeys(NO_BYTES, NO_BYTES, texts.map(asAddress));
  }

  /** Throws MalformedWire for an index outside of the keys: an instruction that points nowhere. */
  at(index: number): Address {
    const known = this.addresses[index];
    if (known !== undefined) return known;
    const offset = this.offsets[index];
    if (offset === undefined) throw new MalformedWire(`key ${index} of ${this.length}`);
    const address = internAddress(this.bytes, offset);
    this.addresses[index] = address;
    return address;
  }

  find(key: SoughtKey): number {
    this.located ??= locateSought(this.bytes, this.offsets, this.addresses);
    return this.located[key.place] ?? this.indexOf(key.address);
  }

  indexOf(address: Address): number {
    const found = findAddress(this.bytes, this.offsets, address);
    if (found >= 0) return found;
    for (let i = this.offsets.length; i < this.length; i++) if (this.addresses[i] === address) return i;
    return -1;
  }
}

const NO_BYTES = new Uint8Array(0);

/** A node's text is taken for an address by its length alone: decoding every key would cost more than the rest. */
function asAddress(text: string): Address {
  if (typeof text !== 'string' || text.length < 32 || text.length > 44) throw new MalformedWire('an account key');
  return text as Address;
}
