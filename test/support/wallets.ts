import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { encodeBase58 } from '../../src/chain/base58.ts';

/** A wallet that signs messages, with a key of its own. */
export interface TestWallet {
  readonly address: string;
  /** Base58. */
  sign(message: string): string;
}

const KEY_BYTES = 32;

/** A new wallet. */
export function createWallet(): TestWallet {
  const { privateKey: secret } = generateKeyPairSync('ed25519');
  return {
    address: encodeBase58(publicBytes(secret)),
    sign: (message) => encodeBase58(sign(null, Buffer.from(message, 'utf8'), secret)),
  };
}

function publicBytes(secret: KeyObject): Uint8Array {
  return createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
}
