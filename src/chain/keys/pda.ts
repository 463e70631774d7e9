import { createHash } from 'node:crypto';
import type { Address } from '../address.ts';
import { addressBytes } from './address-table.ts';
import { encodeAddress } from './base58.ts';
import { isSquare, MODULUS } from './curve-field.ts';

const MARKER = new TextEncoder().encode('ProgramDerivedAddress');
const MAX_SEEDS = 16;
const MAX_SEED_BYTES = 32;
const COORDINATE = 2n ** 255n - 1n;
/** Of the curve's equation: -121665 / 121666. */
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;

/**
 * The program-derived address of the seeds: the first one, counting the bump
 * down from 255, that is no point of the curve and so can have no private key.
 * Costs some fifty microseconds: callers cache.
 *
 * Throws a RangeError for seeds that no program could use.
 */
export function findProgramAddress(
  seeds: readonly Uint8Array[],
  program: Address,
): { readonly address: Address; readonly bump: number } {
  if (seeds.length >= MAX_SEEDS) throw new RangeError(`at most ${MAX_SEEDS - 1} seeds and a bump`);
  for (const seed of seeds) {
    if (seed.length > MAX_SEED_BYTES) throw new RangeError(`a seed has at most ${MAX_SEED_BYTES} bytes`);
  }
  const programBytes = addressBytes(program);
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed);
    hash.update(Uint8Array.of(bump)).update(programBytes).update(MARKER);
    const candidate = hash.digest();
    if (!isOnCurve(candidate)) return { address: encodeAddress(candidate), bump };
  }
  throw new RangeError('no bump gives an address off the curve');
}

/**
 * True when the 32 bytes are a point of the ed25519 curve, as a wallet's key is:
 * -x² + y² = 1 + d·x²·y² has an x for their y.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32);
  let y = 0n;
  for (let at = 24; at >= 0; at -= 8) y = (y << 64n) | view.getBigUint64(at, true);
  // The validator reduces a coordinate instead of refusing a large one; the highest bit is the sign of x.
  const ySquared = (y & COORDINATE) ** 2n % MODULUS;
  const numerator = (ySquared + MODULUS - 1n) % MODULUS;
  const denominator = (D * ySquared + 1n) % MODULUS;
  // x² is their quotient, which is a square when their product is.
  return isSquare(numerator * denominator);
}
