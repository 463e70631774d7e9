import { createHash, createPrivateKey, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomBytes } from '../../../test/support/random.ts';
import { encodeBase58 } from '../../chain/keys/base58.ts';
import { isWalletSignature } from './wallet-signature.ts';

const L = ed25519.Point.Fn.ORDER;
const P = ed25519.Point.Fp.ORDER;
const { BASE, ZERO } = ed25519.Point;
/** Bytes before the seed of an Ed25519 key in PKCS 8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const seed = bytes(32);
const text = fc.uint8Array({ maxLength: 200 });

function check(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return isWalletSignature(encodeBase58(publicKey), message, encodeBase58(signature));
}

function littleEndian(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
}

function fromLittleEndian(value: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(value).reverse().toString('hex')}`);
}

/** The eight points of small order: multiples of the one that generates them all. */
const torsion = ed25519.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
const SMALL = Array.from({ length: 8 }, (_, i) => (i === 0 ? ZERO : torsion.multiplyUnsafe(BigInt(i))));

describe('isWalletSignature', () => {
  it('accepts what a wallet signs, by another library’s hand and by the system’s', () => {
    fc.assert(
      fc.property(seed, text, (secret, message) => {
        const publicKey = ed25519.getPublicKey(secret);
        const pem = createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' });
        expect(check(publicKey, message, ed25519.sign(message, secret))).toBe(true);
        expect(check(publicKey, message, sign(null, message, pem))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('agrees with the other library whatever bit is turned, in key, message or signature', () => {
    fc.assert(
      fc.property(seed, bytes(40), fc.nat(32 + 40 + 64 - 1), fc.nat(7), (secret, message, at, bit) => {
        const parts = Buffer.concat([ed25519.getPublicKey(secret), message, ed25519.sign(message, secret)]);
        parts[at]! ^= 1 << bit;
        const [key, said, signature] = [parts.subarray(0, 32), parts.subarray(32, 72), parts.subarray(72)];
        const oracle = ed25519.verify(signature, said, key, { zip215: false });
        expect(check(key, said, signature)).toBe(oracle);
        expect(oracle).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a signature whose scalar is not reduced: nobody makes a second one out of the first', () => {
    const secret = randomBytes(32);
    const message = Buffer.from('sign in');
    const signature = ed25519.sign(message, secret);
    for (let times = 1n; times < 16n; times += 1n) {
      const scalar = fromLittleEndian(signature.subarray(32)) + times * L;
      if (scalar >= 2n ** 256n) break;
      const other = Buffer.concat([signature.subarray(0, 32), littleEndian(scalar)]);
      expect(check(ed25519.getPublicKey(secret), message, other)).toBe(false);
    }
  });

  it('refuses keys of small order, for which anybody can sign', () => {
    const message = Buffer.from('sign in');
    for (const [i, key] of SMALL.entries()) {
      // With R = s·B the equation holds for the zero point always, for the others as often as their order divides the hash.
      for (let s = 1n; s < 20n; s += 1n) {
        const forged = Buffer.concat([BASE.multiply(s).toBytes(), littleEndian(s)]);
        expect([i, check(key.toBytes(), message, forged)]).toEqual([i, false]);
      }
      const nothing = Buffer.concat([ZERO.toBytes(), littleEndian(0n)]);
      expect([i, check(key.toBytes(), message, nothing)]).toEqual([i, false]);
    }
  });

  it('refuses keys of small order in the bytes that are not canonical as well', () => {
    const message = Buffer.from('sign in');
    const forged = Buffer.concat([BASE.toBytes(), littleEndian(1n)]);
    for (const y of [0n, 1n, P - 1n, P, P + 1n]) {
      for (const sign of [0, 0x80]) {
        const key = littleEndian(y);
        key[31]! |= sign;
        expect([y, sign, check(key, message, forged)]).toEqual([y, sign, false]);
      }
    }
  });

  it('refuses a commitment of small order, and one that the cofactor alone would excuse', () => {
    const secret = randomBytes(32);
    const message = Buffer.from('sign in');
    const { scalar, pointBytes, point } = ed25519.utils.getExtendedPublicKey(secret);
    expect(point.toBytes()).toEqual(pointBytes);
    for (const small of SMALL) {
      const commitments = [small, BASE.multiply(7n).add(small)];
      for (const [i, R] of commitments.entries()) {
        const r = i === 0 ? 0n : 7n;
        const k = hashToScalar(R.toBytes(), pointBytes, message);
        const signature = Buffer.concat([R.toBytes(), littleEndian((r + k * scalar) % L)]);
        const isPlain = i === 1 && small.equals(ZERO);
        expect(check(pointBytes, message, signature)).toBe(isPlain);
      }
    }
  });

  it('refuses what is no key, no signature, no base58', () => {
    const secret = randomBytes(32);
    const message = Buffer.from('sign in');
    const key = encodeBase58(ed25519.getPublicKey(secret));
    const signature = encodeBase58(ed25519.sign(message, secret));
    expect(isWalletSignature(key, message, signature)).toBe(true);
    // An address of a program is no point of the curve: nobody has its key.
    const offCurve = encodeBase58(littleEndian(2n));
    for (const bad of ['', '1', `${signature}1`, signature.slice(1), `${signature.slice(0, -1)}0`, 'é'.repeat(88)]) {
      expect(isWalletSignature(key, message, bad)).toBe(false);
    }
    for (const bad of ['', '1', key.slice(1), offCurve, signature]) {
      expect(isWalletSignature(bad, message, signature)).toBe(false);
    }
  });
});

function hashToScalar(...parts: readonly Uint8Array[]): bigint {
  const digest = createHash('sha512').update(Buffer.concat(parts)).digest();
  return fromLittleEndian(digest) % L;
}
