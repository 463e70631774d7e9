import type { Address } from '../chain/address.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import { compareAddresses } from './address-order.ts';
import { magnitude, smaller } from './amounts.ts';
import type { DraftSwap } from './draft-swap.ts';
import { isCurrency } from './quotes.ts';
import { addTo, type Remainder, withoutFees } from './remainders.ts';
import { signedTokens } from './trader.ts';
import type { TransactionScope } from './transaction-scope.ts';
import { type Explanation, isHolding } from './unexplained.ts';

/**
 * The same as `remaindersOf` for coins that a swap of the transaction was quoted in: what is left of each owner beside
 * the prices, the fees that others received and what a route only passed on. It can be handed from one to another, and
 * is told as nothing else.
 */
export function quotedRemaindersOf(scope: TransactionScope, given: Explanation): Remainder[] {
  const { swaps, poolShares } = given;
  const quotes = new Set(swaps.flatMap(({ quoteMint }) => quoteMint ?? []));
  return [...quotes]
    .filter((mint) => !isCurrency(mint) && !poolShares.has(mint))
    .flatMap((mint) => withoutPassage(scope, remaindersOfQuote(scope, given, mint)));
}

function remaindersOfQuote(scope: TransactionScope, given: Explanation, mint: Address): Remainder[] {
  const { swaps, liquidity, supply, tokenFees } = given;
  const left: Remainder[] = [];
  const add = (owner: Address, delta: bigint) => addTo(left, { owner, mint, delta });
  for (const { owner, delta, mint: moved } of scope.deltas) if (moved === mint) add(owner, delta);
  for (const swap of swaps) {
    if (swap.quoteMint === mint) add(swap.trader, -paidBy(swap));
    if (swap.mint === mint && !swap.protocolActor) add(swap.trader, -signedTokens(swap));
  }
  for (const move of liquidity) if (move.mint === mint) add(move.owner, -move.delta);
  for (const change of supply) if (change.mint === mint) add(change.owner, change.burnt - change.minted);
  const fees = tokenFees.filter((fee) => fee.mint === mint);
  const curves = new Set(swaps.map((swap) => bondingCurveAddress(swap.mint)));
  const isPersons = (remainder: Remainder) => isHolding(remainder, given) && !curves.has(remainder.owner);
  return withoutFees(scope, left, fees, isPersons).sort((a, b) => compareAddresses(a.owner, b.owner));
}

/** Signed raw quote units that a swap's trader got, or paid with the fees. */
function paidBy({ fee, creatorFee, feeInToken, isBuy, lpFee, quoteAmount }: DraftSwap): bigint {
  const fees = feeInToken ? 0n : fee + creatorFee + lpFee;
  return isBuy ? -(quoteAmount + fees) : quoteAmount - fees;
}

/**
 * Takes out what a router's address buys and pays with for somebody whose trade it is: by the trades alone it gave the
 * coin away, and the other got it, and no balance of either moved so. Whatever a balance bears out on one side at least
 * is kept: tokens that end with somebody, or come from somebody's own.
 */
function withoutPassage(scope: TransactionScope, remainders: readonly Remainder[]): Remainder[] {
  const loose = remainders.map((remainder) => {
    return { remainder, amount: magnitude(remainder.delta) - borneOut(scope, remainder) };
  });
  const sum = (isGain: boolean) =>
    loose.reduce((total, { remainder, amount }) => (remainder.delta > 0n === isGain ? total + amount : total), 0n);
  const passed = smaller(sum(true), sum(false));
  const left = { gains: passed, losses: passed };
  for (const { remainder, amount } of loose) {
    const side = remainder.delta > 0n ? 'gains' : 'losses';
    const taken = smaller(left[side], amount);
    left[side] -= taken;
    remainder.delta += side === 'gains' ? -taken : taken;
  }
  return remainders.filter(({ delta }) => delta !== 0n);
}

/** Part of a remainder that is also in the owner's balance of before and after, raw units. */
function borneOut(scope: TransactionScope, { owner, mint, delta }: Remainder): bigint {
  const own = scope.deltas.find((moved) => moved.owner === owner && moved.mint === mint)?.delta ?? 0n;
  return own > 0n === delta > 0n ? smaller(magnitude(own), magnitude(delta)) : 0n;
}
