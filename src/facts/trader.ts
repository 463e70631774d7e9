import type { Address } from '../chain/address.ts';
import { magnitude } from './amounts.ts';
import type { DraftSwap } from './draft-swap.ts';
import type { OwnerDelta } from './owner-deltas.ts';
import type { TransactionScope } from './transaction-scope.ts';

/**
 * Settles who traded. An event's user who signed, or whose balance moved by the
 * swap's tokens, is the trader. Otherwise the user is a router's authority, and
 * the trader is the owner whose balance did move: by this leg, or by all legs of
 * that user together, or else the signer whose balance moved most that way.
 */
export function settleTraders(scope: TransactionScope, swaps: readonly DraftSwap[]): void {
  let settled: (readonly [DraftSwap, Address])[] | undefined;
  for (const swap of swaps) {
    if (swap.protocolActor || scope.hasSigned(swap.trader)) continue;
    const trader = findHolder(scope, swap, swaps);
    if (trader === undefined || trader === swap.trader) continue;
    settled ??= [];
    settled.push([swap, trader]);
  }
  // Only now, as the legs of one user are found by the user that the events tell.
  for (const [swap, trader] of settled ?? []) swap.trader = trader;
}

function findHolder(scope: TransactionScope, swap: DraftSwap, swaps: readonly DraftSwap[]): Address | undefined {
  const candidates = scope.deltas.filter((delta) => delta.mint === swap.mint && delta.delta !== 0n);
  const leg = signedTokens(swap);
  const net = swaps.reduce(
    (sum, other) => (other.trader === swap.trader && other.mint === swap.mint ? sum + signedTokens(other) : sum),
    0n,
  );
  // In and out again, as on the middle coin of a route: nobody else holds it.
  if (net === 0n) return swap.trader;
  const own = candidates.find((delta) => delta.owner === swap.trader);
  if (own !== undefined && (own.delta === leg || own.delta === net)) return swap.trader;
  return findOwnerOf(scope, candidates, leg, net);
}

/**
 * Finds the owner whose balance moved by `leg`, else by `net` (all legs together), a signer before others; else the
 * signer whose balance moved most that way.
 */
export function findOwnerOf(
  scope: TransactionScope,
  candidates: readonly OwnerDelta[],
  leg: bigint,
  net: bigint,
): Address | undefined {
  return (
    preferSigner(
      scope,
      candidates.filter((delta) => delta.delta === leg),
    ) ??
    preferSigner(
      scope,
      candidates.filter((delta) => delta.delta === net),
    ) ??
    largestSigner(scope, candidates, leg)
  );
}

/** Tokens that the trader gained by the swap. */
export function signedTokens(swap: DraftSwap): bigint {
  return swap.isBuy ? swap.tokenAmount : -swap.tokenAmount;
}

function preferSigner(scope: TransactionScope, deltas: readonly OwnerDelta[]): Address | undefined {
  return (deltas.find((delta) => scope.hasSigned(delta.owner)) ?? deltas[0])?.owner;
}

function largestSigner(scope: TransactionScope, deltas: readonly OwnerDelta[], leg: bigint): Address | undefined {
  let largest: OwnerDelta | undefined;
  for (const delta of deltas) {
    if (delta.delta < 0n !== leg < 0n || !scope.hasSigned(delta.owner)) continue;
    if (largest === undefined || magnitude(delta.delta) > magnitude(largest.delta)) largest = delta;
  }
  return largest?.owner;
}
