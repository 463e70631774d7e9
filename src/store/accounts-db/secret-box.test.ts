import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox, keyIdOf, type SecretPlace } from './secret-box.ts';

const box = createSecretBox(Buffer.alloc(32, 7));
const PLACE: SecretPlace = ['streams.token', 5, 2, 'wallet'];
const SECRET = 'a-token-of-forty-three-characters-or-so';

describe('a sealed secret', () => {
  it('opens where it was sealed, whatever it is', () => {
    const anything = fc.tuple(fc.string({ unit: 'binary', maxLength: 100 }), fc.string(), fc.nat());
    fc.assert(
      fc.property(anything, ([secret, place, row]) => {
        expect(box.open(box.seal(secret, [place, row]), [place, row])).toBe(secret);
      }),
    );
  });

  it.each([
    ['another row', ['streams.token', 6, 2, 'wallet']],
    ['another account', ['streams.token', 5, 3, 'wallet']],
    ['another owner', ['streams.token', 5, 2, 'stranger']],
    ['another column', ['settings.value', 5, 2, 'wallet']],
    ['a row whose parts are the same text in a row', ['streams.token', 52, 'wallet']],
  ] as const)('does not open in %s', (_what, place) => {
    expect(() => box.open(box.seal(SECRET, PLACE), place)).toThrow('sealed for another row');
  });

  it('does not open when any bit of it was changed, or the end of it cut off', () => {
    const sealed = box.seal(SECRET, PLACE);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => box.open(changed, PLACE)).toThrow(expect.objectContaining({ code: 'secret_unreadable' }));
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => box.open(sealed.subarray(0, length), PLACE)).toThrow(
        expect.objectContaining({ code: 'secret_unreadable' }),
      );
    }
  });

  it('does not open with another key, and the message names both by their ids', () => {
    const other = createSecretBox(Buffer.alloc(32, 8));
    expect(other.keyId).toMatch(/^[\w-]{11}$/);
    expect(() => other.open(box.seal(SECRET, PLACE), PLACE)).toThrow(
      `the secret in streams.token (5) cannot be read: it is sealed with the key ${box.keyId}, and the one at hand is ${other.keyId}`,
    );
    expect(keyIdOf(box.seal(SECRET, PLACE))).toBe(box.keyId);
  });

  it('is another text each time, of which nothing is the secret or the key', () => {
    const sealed = Array.from({ length: 500 }, () => box.seal(SECRET, PLACE));
    expect(new Set(sealed.map((bytes) => bytes.toString('hex'))).size).toBe(500);
    // The nonce stands behind the version and the id of the key.
    expect(new Set(sealed.map((bytes) => bytes.toString('hex', 9, 21))).size).toBe(500);
    for (const bytes of sealed) {
      expect(bytes.includes(SECRET.slice(0, 8))).toBe(false);
      expect(bytes.includes(Buffer.alloc(8, 7))).toBe(false);
    }
  });

  it('has a code that is the same in every process with the key, and another with another key', () => {
    expect(createSecretBox(Buffer.alloc(32, 7)).codeOf(SECRET)).toEqual(box.codeOf(SECRET));
    expect(box.codeOf(SECRET)).toHaveLength(32);
    expect(createSecretBox(Buffer.alloc(32, 8)).codeOf(SECRET)).not.toEqual(box.codeOf(SECRET));
    expect(box.codeOf(`${SECRET}.`)).not.toEqual(box.codeOf(SECRET));
  });
});
