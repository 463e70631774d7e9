import { createHash, randomBytes } from 'node:crypto';
import { encodeBase58 } from '../../chain/keys/base58.ts';

/**
 * An API key: `ms_live_`, 32 random bytes in base58, and six characters of a
 * checksum over both. The checksum refuses a mistyped key without a look-up, and
 * lets scanners recognise a leaked one.
 */
export const KEY_PREFIX = 'ms_live_';
const SECRET_BYTES = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^ms_live_[1-9A-HJ-NP-Za-km-z]{32,44}[1-9A-HJ-NP-Za-km-z]{6}$/;

/** A new key. Shown once: only {@link hashApiKey} of it is kept. */
export function createApiKey(secret: Uint8Array = randomBytes(SECRET_BYTES)): string {
  const body = KEY_PREFIX + encodeBase58(secret);
  return body + checksum(body);
}

/** True when the text has the shape and the checksum of a key. */
export function isApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** Digest that a key is stored and found by: SHA-256 of its text, 32 bytes. */
export function hashApiKey(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function checksum(body: string): string {
  return encodeBase58(hashApiKey(body)).slice(0, CHECKSUM_LENGTH);
}
