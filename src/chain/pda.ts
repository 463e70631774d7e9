import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { Address } from './address.ts';
import { addressBytes } from './address-table.ts';
import { encodeAddress } from './base58.ts';

const MARKER = new TextEncoder().encode('ProgramDerivedAddress');
const MAX_SEEDS = 16;
const MAX_SEED_BYTES = 32;

/**
 * The program-derived address of the seeds: the first one, counting the bump
 * down from 255, that is no point of the curve and so can have no private key.
 * Costs some hundred microseconds: callers cache.
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

/** True when the 32 bytes are a point of the ed25519 curve, as a wallet's key is. */
export function isOnCurve(bytes: Uint8Array): boolean {
  try {
    // The validator reduces coordinates instead of refusing large ones, which ZIP-215 rules do too.
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}
