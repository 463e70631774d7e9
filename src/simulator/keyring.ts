import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Address } from '../chain/address.ts';
import { encodeAddress } from '../chain/keys/base58.ts';
import { createBoundedMap } from '../kernel/bounded-map.ts';

/** Someone who can sign. The label is the whole secret: equal labels under equal seeds are the same wallet. */
export interface Wallet {
  readonly label: string;
  readonly address: Address;
  /** A real address of somebody else. */
  readonly foreign?: boolean;
  /** Seed of the ring that it is of; of the one that signs when left out. */
  readonly ring?: string;
}

export interface Keyring {
  wallet(label: string): Wallet;
  /**
   * 64 bytes. A real ed25519 signature; a repeatable stand-in when the ring was made with `sign: false`,
   * and for wallets of real addresses, whose keys nobody here has.
   */
  sign(wallet: Wallet, message: Uint8Array): Uint8Array;
}

/** Key objects kept; one costs about 200 µs to make again. More than any load has traders. */
const MAX_KEY_OBJECTS = 40_000;

/** PKCS #8 header of an ed25519 private key; the 32-byte seed follows. */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Deterministic ed25519 key pairs. */
export function createKeyring(seed: string, options: { readonly sign: boolean }): Keyring {
  const keys = createBoundedMap<string, KeyObject>(MAX_KEY_OBJECTS);

  const nameOf = (label: string, ring = seed) => `${ring}/key/${label}`;
  const secretOf = (name: string) => createHash('sha256').update(name).digest();

  function privateKey(name: string): KeyObject {
    const kept = keys.get(name);
    if (kept !== undefined) return kept;
    const key = createPrivateKey({
      key: Buffer.concat([PKCS8_HEADER, secretOf(name)]),
      format: 'der',
      type: 'pkcs8',
    });
    keys.set(name, key);
    return key;
  }

  return {
    wallet(label) {
      // A wallet that never signs needs no key, and an address without one costs a tenth.
      if (!options.sign) return { label, address: encodeAddress(secretOf(nameOf(label))) };
      const spki = createPublicKey(privateKey(nameOf(label))).export({ format: 'der', type: 'spki' });
      return { label, address: encodeAddress(spki, spki.length - 32) };
    },
    sign(wallet, message) {
      if (options.sign && wallet.foreign !== true) {
        return sign(null, message, privateKey(nameOf(wallet.label, wallet.ring)));
      }
      return createHash('sha512').update(wallet.label).update(message).digest();
    },
  };
}
