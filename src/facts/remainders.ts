import type { Address } from '../chain/address.ts';
import type { TokenFee } from './token-fees.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** Fees of one mint of which sums are tried: more than fit into a transaction's trades in practice, and few to try. */
const MOST_SUMMED_FEES = 10;

/** The part of an owner's balance change that no event accounts for, signed raw units. */
export interface Remainder {
  readonly owner: Address;
  readonly mint: Address;
  delta: bigint;
}

/**
 * What is left of remainders without the fees that somebody received: what an event names is taken out of its
 * receiver's part, and of the others each explains one receiver who did not sign, by its very amount. `isHolding` says
 * whose remainders count at all. The remainders are changed.
 */
export function withoutFees(
  scope: TransactionScope,
  remainders: Remainder[],
  fees: readonly TokenFee[],
  isHolding: (remainder: Remainder) => boolean,
): Remainder[] {
  const unnamed = fees.filter((fee) => !takeNamedFee(scope, remainders, fee));
  return remainders.filter(
    (remainder) => remainder.delta !== 0n && isHolding(remainder) && !isFee(scope, remainder, unnamed),
  );
}

/** Adds to an owner's part, which begins with nothing. */
export function addTo(remainders: Remainder[], { owner, mint, delta }: Remainder): void {
  const known = remainders.find((remainder) => remainder.owner === owner && remainder.mint === mint);
  if (known === undefined) remainders.push({ owner, mint, delta });
  else known.delta += delta;
}

/** Takes a fee out of what its receiver got: several of one transaction are one change of its balance. */
function takeNamedFee(scope: TransactionScope, remainders: Remainder[], { receiver, mint, amount }: TokenFee): boolean {
  if (!scope.deltas.some((delta) => delta.owner === receiver && delta.mint === mint)) return false;
  if (receiver !== undefined) addTo(remainders, { owner: receiver, mint, delta: -amount });
  return true;
}

/** Explains a remainder by fees whose sum it is, and takes these out of `fees`. False when it is no such sum. */
function isFee(scope: TransactionScope, { owner, mint, delta }: Remainder, fees: TokenFee[]): boolean {
  if (delta <= 0n || scope.hasSigned(owner)) return false;
  const ofMint = fees.filter((fee) => fee.mint === mint).slice(0, MOST_SUMMED_FEES);
  const parts = findSummands(ofMint, delta);
  if (parts === undefined) return false;
  for (const part of parts) fees.splice(fees.indexOf(part), 1);
  return true;
}

/** The fewest tries first: a single fee, then two, until some have the sum. */
function findSummands(fees: readonly TokenFee[], sum: bigint): readonly TokenFee[] | undefined {
  const subsets = Array.from({ length: 2 ** fees.length - 1 }, (_, place) => {
    return fees.filter((_fee, bit) => ((place + 1) >> bit) % 2 === 1);
  }).sort((a, b) => a.length - b.length);
  return subsets.find((parts) => parts.reduce((total, { amount }) => total + amount, 0n) === sum);
}
