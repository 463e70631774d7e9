import type { Address } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import { isOnCurve } from '../chain/keys/pda.ts';
import { mintDecimals } from './quotes.ts';
import { type MintMoves, pairUp, type Send } from './send-pairs.ts';
import type { TransactionScope } from './transaction-scope.ts';
import type { Remainder } from './unexplained.ts';

/**
 * Tokens that wallets hand each other in a transaction that calls a venue: a
 * creation whose first buy is split, a buy that is sent on at once. They are the
 * pairs of what events leave unexplained of a mint's owners, paired as sends are,
 * and are taken out of `remainders`: what stays there has no other side. Legs on
 * markets that publish no event stay there as well, and mints of `traded`, whose
 * markets have told only a part.
 */
export function hiddenMovesOf(
  scope: TransactionScope,
  remainders: readonly Remainder[],
  traded: ReadonlySet<Address>,
): Send[] {
  const sends: Send[] = [];
  // One alone has nobody to give to or to get from.
  if (remainders.length < 2) return sends;
  for (const mint of new Set(remainders.map((remainder) => remainder.mint))) {
    if (traded.has(mint)) continue;
    const ofMint = remainders.filter((remainder) => remainder.mint === mint);
    const people = ofMint.filter((remainder) => !isMarket(scope, remainder));
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
function isMarket(scope: TransactionScope, { owner, mint, delta }: Remainder): boolean {
  if (scope.hasSigned(owner)) return false;
  return (isPaid(scope, owner, mint, delta) || isPaidInLamports(scope, owner, delta)) && !isWallet(owner, scope);
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

/** Vaults of some markets own themselves, whatever their address is. */
function isWallet(owner: Address, { transaction }: TransactionScope): boolean {
  const isVault = transaction.tokenBalances.some(({ accountIndex }) => transaction.keys.at(accountIndex) === owner);
  return !isVault && isOnCurve(addressBytes(owner));
}
