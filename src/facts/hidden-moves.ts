import { type Address, WSOL_MINT } from '../chain/address.ts';
import { magnitude } from './amounts.ts';
import { findPaidVaults, isWallet, type VenueTrades } from './paid-vaults.ts';
import { type IsPaid, paymentsFor } from './payment.ts';
import { mintDecimals } from './quotes.ts';
import type { Remainder } from './remainders.ts';
import { type MintMoves, pairUp, type Send } from './send-pairs.ts';
import type { TransactionScope } from './transaction-scope.ts';
import { EQUITY } from './venue.ts';

/**
 * Tokens that wallets hand each other in a transaction that calls a venue: a
 * creation whose first buy is split, a buy that is sent on at once, a share that
 * a platform takes. They are the pairs of what events leave unexplained of a
 * mint's owners, paired as sends are, and are taken out of `remainders`: what
 * stays there has no other side. Legs on markets that publish no event stay there
 * as well, and so do equities, whose markets have told only a part.
 */
export function hiddenMovesOf(scope: TransactionScope, remainders: readonly Remainder[], trades: VenueTrades): Send[] {
  const sends: Send[] = [];
  // One alone has nobody to give to or to get from.
  if (remainders.length < 2) return sends;
  for (const mint of new Set(remainders.map((remainder) => remainder.mint))) {
    if (trades.swaps.some((swap) => swap.mint === mint && swap.venue === EQUITY)) continue;
    const ofMint = remainders.filter((remainder) => remainder.mint === mint);
    const isPaid = paymentsFor(scope, trades.swaps, mint, ofMint);
    const vaults = new Set(findPaidVaults(scope, ofMint, trades, isPaid));
    const people = ofMint.filter((remainder) => !vaults.has(remainder) && !isMarket(scope, remainder, isPaid));
    pairUp(movesOf(mint, mintDecimals(scope.transaction, mint) ?? 0, people), sends);
  }
  for (const { mint, from, to, amount } of sends) {
    for (const remainder of remainders) {
      if (remainder.mint !== mint) continue;
      if (remainder.owner === from) remainder.delta += amount;
      if (remainder.owner === to) remainder.delta -= amount;
    }
  }
  return sends;
}

function movesOf(mint: Address, decimals: number, people: readonly Remainder[]): MintMoves {
  const moves: MintMoves = { mint, decimals, senders: [], receivers: [] };
  for (const { owner, delta } of people) {
    if (delta < 0n) moves.senders.push({ owner, left: -delta });
    else moves.receivers.push({ owner, left: delta });
  }
  return moves;
}

/**
 * A market of which nothing is read: a program's account, which no key can sign
 * for, and which paid for these tokens or was paid for them in the transaction.
 * A wallet looks like one to nobody, however it is paid.
 */
function isMarket(scope: TransactionScope, remainder: Remainder, isPaid: IsPaid): boolean {
  if (scope.hasSigned(remainder.owner)) return false;
  return (
    (paysInTokens(scope, remainder, isPaid) || paysInLamports(scope, remainder, isPaid)) &&
    !isWallet(scope, remainder.owner)
  );
}

/** True when what moved the other way in any account of the owner pays: one owner of many pools may come out even. */
function paysInTokens({ transaction }: TransactionScope, { owner, mint, delta }: Remainder, isPaid: IsPaid): boolean {
  return transaction.tokenBalances.some(
    (held) =>
      held.mint !== mint &&
      (held.postOwner ?? held.preOwner) === owner &&
      held.pre !== held.post &&
      held.post > held.pre !== delta > 0n &&
      isPaid(delta, held.mint, magnitude(held.post - held.pre)),
  );
}

function paysInLamports({ transaction }: TransactionScope, { owner, delta }: Remainder, isPaid: IsPaid): boolean {
  const index = transaction.keys.indexOf(owner);
  if (index < 0) return false;
  const change = (transaction.postBalances.at(index) ?? 0n) - (transaction.preBalances.at(index) ?? 0n);
  return change > 0n !== delta > 0n && isPaid(delta, WSOL_MINT, magnitude(change));
}
