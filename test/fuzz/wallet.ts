import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { encodeBase58 } from '../../src/chain/base58.ts';

/** A wallet that signs what it is shown. */
export interface Wallet {
  /** Base58. */
  readonly address: string;
  /** Base58 of the ed25519 signature over the text's bytes. */
  sign(text: string): string;
}

/** What PKCS #8 writes before the 32 secret bytes of an ed25519 key, and SPKI before the 32 public ones. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_BYTES = 32;

/** The wallet of 32 secret bytes. */
export function createWallet(secret: Uint8Array): Wallet {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, secret]), format: 'der', type: 'pkcs8' });
  return {
    address: encodeBase58(publicBytes(key)),
    sign: (text) => encodeBase58(sign(null, Buffer.from(text), key)),
  };
}

function publicBytes(key: KeyObject): Uint8Array {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_BYTES);
}
