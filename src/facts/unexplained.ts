import type { Address } from '../chain/address.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import { isProtocolActor } from '../programs/registry/index.ts';
import { compareAddresses } from './address-order.ts';
import type { SupplyDelta } from './burns.ts';
import type { DraftSwap } from './draft-swap.ts';
import type { UnexplainedDelta } from './fact.ts';
import { isCurrency } from './quotes.ts';
import type { TokenFee } from './swaps-from-pool.ts';
import { signedTokens } from './trader.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** Fees of one mint of which sums are tried: more than fit into a transaction's trades in practice, and few to try. */
const MOST_SUMMED_FEES = 10;

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

/** The part of an owner's balance change that no event accounts for, signed raw units. */
export interface Remainder {
  readonly owner: Address;
  readonly mint: Address;
  delta: bigint;
}

/**
 * Balance changes of a transaction with a venue that its events do not account
 * for, in order of owner: a router keeping tokens, tokens passed on, a leg on
 * another market. Reserves are left out, and so are currencies and mints that a
 * swap was quoted in, of which fees go many ways.
 */
export function remaindersOf(scope: TransactionScope, given: Explanation): Remainder[] {
  const remainders: Remainder[] = [];
  for (const { owner, mint, delta } of scope.deltas) {
    if (delta !== 0n && isToken(mint, given)) add(remainders, owner, mint, delta);
  }
  for (const swap of given.swaps) {
    if (!swap.protocolActor && isToken(swap.mint, given)) add(remainders, swap.trader, swap.mint, -signedTokens(swap));
  }
  for (const { owner, mint, delta } of given.liquidity) {
    if (isToken(mint, given)) add(remainders, owner, mint, -delta);
  }
  for (const { owner, mint, burnt, minted } of given.supply) {
    if (isToken(mint, given)) add(remainders, owner, mint, burnt - minted);
  }
  // Of money, and of coins that were paid with, nothing is left to explain: a fee in them would stand there as a loss.
  const tokenFees = given.tokenFees.filter(({ mint }) => isToken(mint, given));
  const fees = tokenFees.filter((fee) => !takeNamedFee(scope, remainders, fee));
  return remainders
    .filter((remainder) => remainder.delta !== 0n && isHolding(remainder, given) && !isFee(scope, remainder, fees))
    .sort((a, b) => compareAddresses(a.owner, b.owner) || compareAddresses(a.mint, b.mint));
}

/** Takes a fee out of what its receiver got: several of one transaction are one change of its balance. */
function takeNamedFee(scope: TransactionScope, remainders: Remainder[], { receiver, mint, amount }: TokenFee): boolean {
  if (!scope.deltas.some((delta) => delta.owner === receiver && delta.mint === mint)) return false;
  if (receiver !== undefined) add(remainders, receiver, mint, -amount);
  return true;
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

function isHolding({ owner, mint }: Remainder, { venueAccounts }: Explanation): boolean {
  return !venueAccounts.has(owner) && !isProtocolActor(owner) && owner !== bondingCurveAddress(mint);
}

/** Takes the fees that a remainder is the sum of out of `fees`: each explains one receiver. */
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

function add(remainders: Remainder[], owner: Address, mint: Address, delta: bigint): void {
  for (const known of remainders) {
    if (known.owner === owner && known.mint === mint) {
      known.delta += delta;
      return;
    }
  }
  remainders.push({ owner, mint, delta });
}
