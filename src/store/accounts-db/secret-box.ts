import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { AccountsError } from './accounts-error.ts';
import { SECRETS_KEY_BYTES } from './secrets-key-text.ts';

/** The place of a secret: table and column, and the values of its row that never change. */
export type SecretPlace = readonly [place: string, ...row: (string | number)[]];

/**
 * Seals secrets of the accounts database that have to be read again. What is sealed in one place opens in
 * no other, so that whoever writes to the database cannot move a secret to a row that is shown to them.
 */
export interface SecretBox {
  /** Tells keys apart and gives nothing of them away: 11 characters. */
  readonly keyId: string;
  /** Another text each time. */
  seal(secret: string, place: SecretPlace): Buffer;
  /** Throws AccountsError `secret_unreadable` for what was sealed with another key, in another place, or was changed since. */
  open(sealed: Uint8Array, place: SecretPlace): string;
  /** Makes the code that a secret is found by, 32 bytes: the same each time, and of no use without the key. */
  codeOf(secret: string): Buffer;
}

/** Version 1: AES-256-GCM behind the id of its key. */
const VERSION = 1;
const KEY_ID_BYTES = 8;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';
/** Purposes of the derived keys: no output for one use is ever one for another. */
const PURPOSES = {
  encryption: 'mintscope accounts encryption',
  lookUp: 'mintscope accounts look-up',
  id: 'mintscope accounts key id',
} as const;

/** A box with a key of 32 bytes. */
export function createSecretBox(key: Uint8Array): SecretBox {
  const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', key, '', purpose, bytes));
  const encryption = derive(PURPOSES.encryption, SECRETS_KEY_BYTES);
  const lookUp = derive(PURPOSES.lookUp, SECRETS_KEY_BYTES);
  const id = derive(PURPOSES.id, KEY_ID_BYTES);
  const header = Buffer.from([VERSION, ...id]);
  const boundTo = (place: SecretPlace) => Buffer.concat([header, Buffer.from(JSON.stringify(place))]);

  function decrypt(sealed: Buffer, place: SecretPlace): string {
    const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
    const cipher = createDecipheriv(ALGORITHM, encryption, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(place)).setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = cipher.update(sealed.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, cipher.final()]).toString();
  }

  return {
    keyId: id.toString('base64url'),
    seal(secret, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, encryption, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([header, nonce, text, cipher.getAuthTag()]);
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const sealedWith = keyIdOf(bytes);
      if (sealedWith === undefined) throw unreadable(place, 'it is not sealed');
      if (!bytes.subarray(0, HEADER_BYTES).equals(header)) {
        throw unreadable(
          place,
          `it is sealed with the key ${sealedWith}, and the one at hand is ${id.toString('base64url')}`,
        );
      }
      try {
        return decrypt(bytes, place);
      } catch {
        throw unreadable(place, 'it was changed, or sealed for another row');
      }
    },
    codeOf: (secret) => createHmac('sha256', lookUp).update(secret).digest(),
  };
}

/** Id of the key that something was sealed with; undefined for what is not sealed. */
export function keyIdOf(sealed: Uint8Array): string | undefined {
  if (sealed[0] !== VERSION || sealed.byteLength < HEADER_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
  return Buffer.from(sealed.subarray(1, HEADER_BYTES)).toString('base64url');
}

function unreadable([place, row]: SecretPlace, why: string): AccountsError {
  return new AccountsError('secret_unreadable', `the secret in ${place} (${row}) cannot be read: ${why}`);
}
