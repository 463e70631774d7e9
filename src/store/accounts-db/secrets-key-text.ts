export const SECRETS_KEY_BYTES = 32;

const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64URL = /^[A-Za-z0-9_-]{43}$/;
/** 32 random bytes have some 30 different values. Placeholders repeat themselves. */
const MIN_DIFFERENT_BYTES = 16;

/** The 32 bytes of a key as it is written in a setting or a file: 64 hex digits, or 43 characters of base64url. Undefined for anything else. */
export function readSecretsKeyText(text: string): Buffer | undefined {
  const key = HEX.test(text) ? Buffer.from(text, 'hex') : fromBase64url(text);
  return key !== undefined && new Set(key).size >= MIN_DIFFERENT_BYTES ? key : undefined;
}

/** The last character holds two bits that are no part of the key: they have to be zero, so that a key is written in one way. */
function fromBase64url(text: string): Buffer | undefined {
  if (!BASE64URL.test(text)) return undefined;
  const key = Buffer.from(text, 'base64url');
  return key.toString('base64url') === text ? key : undefined;
}
