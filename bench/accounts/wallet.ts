import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { encodeAddress, encodeBase58 } from '../../src/chain/keys/base58.ts';

/** A wallet that can sign, in a network of its own, so that it gets a trial. */
export interface Wallet {
  readonly number: number;
  readonly address: string;
  readonly clientAddress: string;
  readonly privateKey: KeyObject;
}

export function makeWallet(number: number): Wallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const address = encodeAddress(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
  return { number, address, clientAddress: `10.${number >> 8}.${number & 255}.1`, privateKey };
}

/** Base58, as wallets hand it over. */
export function signText({ privateKey }: Wallet, text: string): string {
  return encodeBase58(sign(null, Buffer.from(text), privateKey));
}
