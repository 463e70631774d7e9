import type { Address } from '../chain/address.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import { isProtocolActor } from '../programs/registry/index.ts';
import { compareAddresses } from './address-order.ts';
import { magnitude } from './amounts.ts';
import type { DraftSwap } from './draft-swap.ts';
import { isCurrency } from './quotes.ts';
import { signedTokens } from './trader.ts';
import type { TransactionScope } from './transaction-scope.ts';
import type { Explanation, Remainder } from './unexplained.ts';

/** A quote's fees go to so many at most besides the protocol: the creator's vault, and one that nobody names. */
const FEE_RECEIVERS = 2;

/**
 * The same as `remaindersOf` for coins that a swap of the transaction was quoted in: what is left of each owner beside
 * the prices and the fees. Fees go ways that the events do not name, so that the least changes are theirs, of few
 * receivers and up to what was charged. The rest can be handed from one to another, and is told as nothing else.
 */
export function quotedRemaindersOf(scope: TransactionScope, given: Explanation): Remainder[] {
  const { swaps, poolShares } = given;
  const quotes = new Set(swaps.flatMap(({ quoteMint }) => quoteMint ?? []));
  return [...quotes]
    .filter((mint) => !isCurrency(mint) && !poolShares.has(mint))
    .flatMap((mint) => withoutFees(remaindersOfQuote(scope, given, mint), feesIn(swaps, mint)));
}

function remaindersOfQuote(scope: TransactionScope, given: Explanation, mint: Address): Remainder[] {
  const { swaps, liquidity, supply, venueAccounts } = given;
  const left = new Map<Address, bigint>();
  const add = (owner: Address, delta: bigint) => left.set(owner, (left.get(owner) ?? 0n) + delta);
  for (const { owner, delta, mint: moved } of scope.deltas) if (moved === mint) add(owner, delta);
  for (const swap of swaps) {
    if (swap.quoteMint === mint) add(swap.trader, -paidBy(swap));
    if (swap.mint === mint && !swap.protocolActor) add(swap.trader, -signedTokens(swap));
  }
  for (const move of liquidity) if (move.mint === mint) add(move.owner, -move.delta);
  for (const change of supply) if (change.mint === mint) add(change.owner, change.burnt - change.minted);
  return Array.from(left, ([owner, delta]) => ({ owner, mint, delta })).filter(
    ({ owner, delta }) =>
      delta !== 0n && !venueAccounts.has(owner) && !isProtocolActor(owner) && owner !== bondingCurveAddress(mint),
  );
}

/** Signed raw quote units that a swap's trader got, or paid with the fees. */
function paidBy(swap: DraftSwap): bigint {
  const fees = feesOf(swap);
  return swap.isBuy ? -(swap.quoteAmount + fees) : swap.quoteAmount - fees;
}

function feesOf({ fee, creatorFee, lpFee, feeInToken }: DraftSwap): bigint {
  return feeInToken ? 0n : fee + creatorFee + lpFee;
}

function feesIn(swaps: readonly DraftSwap[], mint: Address): bigint {
  return swaps.reduce((sum, swap) => (swap.quoteMint === mint ? sum + feesOf(swap) : sum), 0n);
}

/** Without the least that somebody got, and without payers whose change is no more than the fees. */
function withoutFees(remainders: readonly Remainder[], fees: bigint): Remainder[] {
  let charged = fees;
  let receivers = 0;
  return remainders
    .toSorted((a, b) => Number(magnitude(a.delta) - magnitude(b.delta)) || compareAddresses(a.owner, b.owner))
    .filter(({ delta }) => {
      if (delta < 0n) return -delta > fees;
      if (delta > charged || receivers >= FEE_RECEIVERS) return true;
      charged -= delta;
      receivers += 1;
      return false;
    })
    .sort((a, b) => compareAddresses(a.owner, b.owner));
}
