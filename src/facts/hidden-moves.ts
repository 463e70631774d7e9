import type { Address } from '../chain/address.ts';
import { INCINERATOR } from '../chain/well-known.ts';
import type { DraftSwap } from './draft-swap.ts';
import { findPaidVaults, isWallet } from './paid-vaults.ts';
import { mintDecimals } from './quotes.ts';
import { type MintMoves, pairUp, type Send } from './send-pairs.ts';
import type { TransactionScope } from './transaction-scope.ts';
import type { Remainder } from './unexplained.ts';
import { EQUITY } from './venue.ts';

/** A platform's fee is so many percent at most of what its payer traded in the transaction. */
const FEE_PCT = 2n;

/** Facts of the transaction that moves are told apart by. */
export interface VenueTrades {
  readonly swaps: readonly DraftSwap[];
  /** Pools and curves of the events. */
  readonly venueAccounts: ReadonlySet<Address>;
}

/**
 * Tokens that wallets hand each other in a transaction that calls a venue: a
 * creation whose first buy is split, a buy that is sent on at once. They are the
 * pairs of what events leave unexplained of a mint's owners, paired as sends are,
 * and are taken out of `remainders`: what stays there has no other side. Legs on
 * markets that publish no event stay there as well, and so do fees that a platform
 * takes in the token, and equities, whose markets have told only a part.
 */
export function hiddenMovesOf(
  scope: TransactionScope,
  remainders: readonly Remainder[],
  { swaps, venueAccounts }: VenueTrades,
): Send[] {
  const sends: Send[] = [];
  // One alone has nobody to give to or to get from.
  if (remainders.length < 2) return sends;
  for (const mint of new Set(remainders.map((remainder) => remainder.mint))) {
    const ofToken = swaps.filter((swap) => swap.mint === mint);
    if (ofToken.some(({ venue }) => venue === EQUITY)) continue;
    const ofMint = remainders.filter((remainder) => remainder.mint === mint);
    const vaults = new Set(findPaidVaults(scope, ofMint, venueAccounts));
    const people = ofMint.filter((remainder) => !vaults.has(remainder) && !isMarket(scope, remainder));
    const pairs: Send[] = [];
    pairUp(movesOf(mint, mintDecimals(scope.transaction, mint) ?? 0, people), pairs);
    sends.push(...pairs.filter((send) => !isFee(send, pairs, ofToken)));
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
 * A platform's share of a trade: little, of somebody who traded as much, and to nobody else in the transaction. A crumb
 * to each of several is a hand-out, however little it is.
 */
function isFee(send: Send, pairs: readonly Send[], swaps: readonly DraftSwap[]): boolean {
  const { from, to, amount } = send;
  if (to === INCINERATOR || pairs.some((other) => other !== send && other.from === from)) return false;
  const traded = swaps.reduce((sum, swap) => (swap.trader === from ? sum + swap.tokenAmount : sum), 0n);
  return amount * 100n <= traded * FEE_PCT;
}

/**
 * A market of which nothing is read: a program's account, which no key can sign
 * for, and which paid for these tokens or was paid for them in the transaction.
 * A wallet looks like one to nobody, however it is paid.
 */
function isMarket(scope: TransactionScope, { owner, mint, delta }: Remainder): boolean {
  if (scope.hasSigned(owner)) return false;
  return (isPaid(scope, owner, mint, delta) || isPaidInLamports(scope, owner, delta)) && !isWallet(scope, owner);
}

/** True when another mint moved the other way in any account of the owner: one owner of many pools may come out even. */
function isPaid({ transaction }: TransactionScope, owner: Address, mint: Address, delta: bigint): boolean {
  return transaction.tokenBalances.some(
    (held) =>
      held.mint !== mint &&
      (held.postOwner ?? held.preOwner) === owner &&
      held.pre !== held.post &&
      held.post > held.pre !== delta > 0n,
  );
}

function isPaidInLamports({ transaction }: TransactionScope, owner: Address, delta: bigint): boolean {
  const index = transaction.keys.indexOf(owner);
  if (index < 0) return false;
  const change = (transaction.postBalances.at(index) ?? 0n) - (transaction.preBalances.at(index) ?? 0n);
  return change !== 0n && change > 0n !== delta > 0n;
}
