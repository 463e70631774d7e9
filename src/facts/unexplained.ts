import type { Address } from '../chain/address.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import { isProtocolActor } from '../programs/registry/index.ts';
import { compareAddresses } from './address-order.ts';
import type { SupplyDelta } from './burns.ts';
import type { DraftSwap } from './draft-swap.ts';
import type { UnexplainedDelta } from './fact.ts';
import { isCurrency } from './quotes.ts';
import { addTo, type Remainder, withoutFees } from './remainders.ts';
import type { TokenFee } from './token-fees.ts';
import { signedTokens } from './trader.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** Everything that a venue transaction's events account for. */
export interface Explanation {
  readonly swaps: readonly DraftSwap[];
  /** Tokens that liquidity took from or gave to its owners: deposits, withdrawals, and the first ones of a pool. */
  readonly liquidity: readonly LiquidityMove[];
  readonly supply: readonly SupplyDelta[];
  /** Pools and curves of the events: their balances are reserves, not holdings. */
  readonly venueAccounts: ReadonlySet<Address>;
  /** Mints of pools' shares. */
  readonly poolShares: ReadonlySet<Address>;
  /** Fees that somebody received in a token. */
  readonly tokenFees: readonly TokenFee[];
}

export interface LiquidityMove {
  readonly owner: Address;
  readonly mint: Address;
  /** Signed raw units, as the owner's balance changed. */
  readonly delta: bigint;
}

/**
 * Balance changes of a transaction with a venue that its events do not account
 * for, in order of owner: a router keeping tokens, tokens passed on, a leg on
 * another market. Reserves are left out, and so are currencies and mints that a
 * swap was quoted in, of which fees go many ways.
 */
export function remaindersOf(scope: TransactionScope, given: Explanation): Remainder[] {
  const remainders: Remainder[] = [];
  const add = (owner: Address, mint: Address, delta: bigint) => {
    if (isToken(mint, given)) addTo(remainders, { owner, mint, delta });
  };
  for (const { owner, mint, delta } of scope.deltas) if (delta !== 0n) add(owner, mint, delta);
  for (const swap of given.swaps) if (!swap.protocolActor) add(swap.trader, swap.mint, -signedTokens(swap));
  for (const { owner, mint, delta } of given.liquidity) add(owner, mint, -delta);
  for (const { owner, mint, burnt, minted } of given.supply) add(owner, mint, burnt - minted);
  // Of coins that were paid with, nothing is left to explain here: a fee in them would stand there as a loss.
  const fees = given.tokenFees.filter(({ mint }) => isToken(mint, given));
  return withoutFees(scope, remainders, fees, (remainder) => isHolding(remainder, given)).sort(
    (a, b) => compareAddresses(a.owner, b.owner) || compareAddresses(a.mint, b.mint),
  );
}

/** Appends what is left of remainders as facts, the first of them at place `firstIxIndex`. */
export function appendUnexplained(
  { slot, blockIndex, time, signature }: TransactionScope,
  remainders: readonly Remainder[],
  firstIxIndex: number,
  unexplained: UnexplainedDelta[],
): void {
  let ixIndex = firstIxIndex;
  for (const { owner, mint, delta } of remainders) {
    if (delta !== 0n) unexplained.push({ slot, blockIndex, ixIndex: ixIndex++, time, signature, mint, owner, delta });
  }
}

function isToken(mint: Address, { swaps, poolShares }: Explanation): boolean {
  return !isCurrency(mint) && !poolShares.has(mint) && !swaps.some((swap) => swap.quoteMint === mint);
}

/** True for parts of owners who hold tokens: no pool, no curve, nobody of the protocol. */
export function isHolding({ owner, mint }: Remainder, { venueAccounts }: Pick<Explanation, 'venueAccounts'>): boolean {
  return !venueAccounts.has(owner) && !isProtocolActor(owner) && owner !== bondingCurveAddress(mint);
}
