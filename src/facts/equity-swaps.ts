import type { Address } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';
import { equity } from '../programs/registry/index.ts';
import { readTokenInstructions } from '../programs/spl-token/instructions.ts';
import { compareAddresses } from './address-order.ts';
import { magnitude } from './amounts.ts';
import { type DraftSwap, draftSwap } from './draft-swap.ts';
import type { OwnerDelta } from './owner-deltas.ts';
import { isStablecoin } from './quotes.ts';
import { routerOf } from './router.ts';
import { findOwnerOf } from './trader.ts';
import { type TransactionScope, UNMEASURED_BUDGET } from './transaction-scope.ts';
import { EQUITY } from './venue.ts';

/** Amounts that one pool gave and got: an equity one way, a stablecoin the other. */
interface Leg {
  readonly pool: Address;
  readonly shares: OwnerDelta;
  readonly money: OwnerDelta;
}

const NONE: readonly DraftSwap[] = [];

/**
 * Swaps of tokenized equities, whose many venues publish no event that we read:
 * the balances of their pools tell. A pool is an owner that did not sign, and
 * whose one equity and one stablecoin moved opposite ways; liquidity moves both
 * the same way. `venueAccounts` are pools whose own events have told already.
 */
export function equitySwapsOf(scope: TransactionScope, venueAccounts: ReadonlySet<Address>): readonly DraftSwap[] {
  if (!movesEquity(scope.transaction)) return NONE;
  const found = scope.deltas.flatMap((shares) => {
    const leg = venueAccounts.has(shares.owner) ? undefined : findLeg(scope, shares);
    return leg === undefined ? [] : [leg];
  });
  const legs = found.filter((leg) => !isCustomer(scope.transaction, leg, found));
  legs.sort((a, b) => compareAddresses(a.pool, b.pool));
  const first = scope.transaction.instructions.length;
  return legs.map((leg, place) => equitySwap(scope, first + place, leg, legs));
}

/** Most transactions move none: this is all they pay. */
function movesEquity({ tokenBalances }: Transaction): boolean {
  for (const { pre, post, mint } of tokenBalances) if (pre !== post && equity(mint) !== undefined) return true;
  return false;
}

function findLeg(scope: TransactionScope, shares: OwnerDelta): Leg | undefined {
  if (!isMovedEquity(shares) || scope.hasSigned(shares.owner)) return undefined;
  const moved = scope.deltas.filter(({ owner, delta }) => owner === shares.owner && delta !== 0n);
  const [money, otherMoney] = moved.filter(({ mint }) => isStablecoin(mint));
  // An owner of many pools may have traded several pairs at once: what was paid for which, nothing tells.
  if (money === undefined || otherMoney !== undefined || moved.filter(isMovedEquity).length > 1) return undefined;
  return money.delta > 0n === shares.delta > 0n ? undefined : { pool: shares.owner, shares, money };
}

function isMovedEquity({ delta, mint }: OwnerDelta): boolean {
  return delta !== 0n && equity(mint) !== undefined;
}

/**
 * A keeper fills orders of people who do not sign: then both sides look like
 * pools, one the mirror of the other. Who pays first is the customer.
 */
function isCustomer(transaction: Transaction, leg: Leg, legs: readonly Leg[]): boolean {
  const mirror = legs.find(
    ({ shares, money }) =>
      shares.mint === leg.shares.mint &&
      shares.delta === -leg.shares.delta &&
      money.mint === leg.money.mint &&
      money.delta === -leg.money.delta,
  );
  return mirror !== undefined && findFirstPayer(transaction, [leg, mirror]) === leg.pool;
}

function findFirstPayer(transaction: Transaction, legs: readonly Leg[]): Address | undefined {
  for (const instruction of transaction.instructions) {
    for (const step of readTokenInstructions(transaction, instruction)) {
      if (step.kind !== 'transfer') continue;
      const source = transaction.tokenBalances.find(({ accountIndex }) => accountIndex === step.source);
      const payer = legs.find(
        ({ pool, shares, money }) =>
          pool === source?.preOwner && (source.mint === shares.mint || source.mint === money.mint),
      );
      if (payer !== undefined) return payer.pool;
    }
  }
  return undefined;
}

function equitySwap(scope: TransactionScope, ixIndex: number, leg: Leg, legs: readonly Leg[]): DraftSwap {
  const { pool, shares, money } = leg;
  const tokenAmount = magnitude(shares.delta);
  const quoteAmount = magnitude(money.delta);
  const draft = draftSwap(scope, ixIndex, {
    mint: shares.mint,
    venue: EQUITY,
    pool,
    user: findTrader(scope, leg, legs) ?? scope.feePayer,
    isBuy: shares.delta < 0n,
    quoteMint: money.mint,
    tokenDecimals: shares.decimals,
    quoteAmount,
    tokenAmount,
    price: { quote: quoteAmount, token: tokenAmount },
    fee: 0n,
    creatorFee: 0n,
    lpFee: 0n,
    feeInToken: false,
    feeCreator: undefined,
    reserves: { virtualQuote: undefined, virtualToken: undefined, realQuote: undefined, realToken: undefined },
    priced: true,
    byProtocol: false,
    budget: UNMEASURED_BUDGET,
  });
  return { ...draft, quoteDecimals: money.decimals, router: routerAbovePool(scope.transaction, leg) };
}

/** Finds the owner that got what the pool gave, or gave what it got; pools are none of them. */
function findTrader(scope: TransactionScope, { shares }: Leg, legs: readonly Leg[]): Address | undefined {
  const candidates = scope.deltas.filter(
    ({ mint, delta, owner }) => mint === shares.mint && delta !== 0n && !legs.some(({ pool }) => pool === owner),
  );
  const net = legs.reduce((sum, leg) => (leg.shares.mint === shares.mint ? sum - leg.shares.delta : sum), 0n);
  return findOwnerOf(scope, candidates, -shares.delta, net);
}

/** The pool's own program is the innermost that has both its vaults; called directly, it is no router. */
function routerAbovePool(transaction: Transaction, { pool, shares, money }: Leg): Address | undefined {
  const vaults = (mint: Address) =>
    transaction.tokenBalances.filter((held) => held.mint === mint && (held.postOwner ?? held.preOwner) === pool);
  const [ofShares, ofMoney] = [vaults(shares.mint), vaults(money.mint)];
  let innermost: Transaction['instructions'][number] | undefined;
  for (const instruction of transaction.instructions) {
    const accounts = Array.from(instruction.accounts);
    const hasBoth =
      ofShares.some(({ accountIndex }) => accounts.includes(accountIndex)) &&
      ofMoney.some(({ accountIndex }) => accounts.includes(accountIndex));
    if (hasBoth && instruction.depth > (innermost?.depth ?? 0)) innermost = instruction;
  }
  return innermost === undefined || innermost.parent < 0 ? undefined : routerOf(transaction, innermost.index);
}
