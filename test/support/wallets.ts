import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { encodeBase58 } from '../../src/chain/keys/base58.ts';
import { randomBytes } from './random.ts';

/** A wallet that signs what it is shown. */
export interface TestWallet {
  /** Base58. */
  readonly address: string;
  /** Base58 of the ed25519 signature over the text's bytes. */
  sign(text: string): string;
}

/** Bytes that PKCS #8 writes before the 32 secret bytes of an ed25519 key, and SPKI before the 32 public ones. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

/** The wallet of 32 secret bytes: a new one unless they are given. */
export function createWallet(secret: Uint8Array = randomBytes(KEY_BYTES)): TestWallet {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, secret]), format: 'der', type: 'pkcs8' });
  return {
    address: encodeBase58(publicBytes(key)),
    sign: (text) => encodeBase58(sign(null, Buffer.from(text), key)),
  };
}

function publicBytes(key: KeyObject): Uint8Array {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
}
