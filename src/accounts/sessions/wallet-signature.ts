import { createPublicKey, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { decodeBase58 } from '../../chain/keys/base58.ts';
import { MalformedWire } from '../../chain/malformed-wire.ts';

const SIGNATURE_BYTES = 64;
/** Base58 of 64 bytes. */
const MAX_SIGNATURE_CHARS = 88;
/** Bytes before the 32 of an Ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const KEY_INFO = Buffer.from('302a300506032b6570032100', 'hex');
const POINT_BYTES = 32;

/**
 * True when `signature` (base58 of 64 bytes) is `wallet`'s over exactly these bytes.
 *
 * As strict as the chain's own check: the equation holds without the cofactor and the scalar is reduced, so that nobody
 * but the wallet makes another signature out of one; neither the wallet nor the commitment is a point of small order,
 * for which anybody could sign; both are encoded in the one canonical way.
 */
export function isWalletSignature(wallet: string, message: Uint8Array, signature: string): boolean {
  const signed = decode(signature);
  const publicKey = decode(wallet);
  if (signed?.length !== SIGNATURE_BYTES || publicKey?.length !== POINT_BYTES) return false;
  if (!isSoundPoint(publicKey) || !isSoundPoint(signed.subarray(0, POINT_BYTES))) return false;
  const key = createPublicKey({ key: Buffer.concat([KEY_INFO, publicKey]), format: 'der', type: 'spki' });
  return verify(null, message, key, signed);
}

/** A point of the curve, in canonical bytes, not one of the eight of small order. */
function isSoundPoint(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(bytes, false).isSmallOrder();
  } catch {
    return false;
  }
}

function decode(text: string): Uint8Array | undefined {
  if (text.length > MAX_SIGNATURE_CHARS) return undefined;
  try {
    return decodeBase58(text);
  } catch (error) {
    if (error instanceof MalformedWire) return undefined;
    throw error;
  }
}
