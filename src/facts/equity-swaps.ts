import type { Address } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';
import { equity } from '../programs/registry/index.ts';
import { magnitude } from './amounts.ts';
import { type DraftSwap, draftSwap } from './draft-swap.ts';
import { type EquityLeg, equityLegsOf } from './equity-legs.ts';
import { showsPrice } from './equity-price.ts';
import { ownersOfLegs } from './leg-owners.ts';
import { OpenDeltas } from './open-deltas.ts';
import { routerOf } from './router.ts';
import { callSpan, tokenMoves } from './token-moves.ts';
import { type TransactionScope, UNMEASURED_BUDGET } from './transaction-scope.ts';
import { EQUITY } from './venue.ts';

const NONE: readonly DraftSwap[] = [];

/**
 * Swaps of tokenized equities, whose many venues publish no event that we read:
 * the balances of their pools tell. A pool is an owner that did not sign, and
 * whose one equity and one stablecoin moved opposite ways; liquidity moves both
 * the same way. Where each vault of a pool has an owner of its own, the call
 * that has both makes them one pool. `venueAccounts` are pools whose own events
 * have told already.
 */
export function equitySwapsOf(scope: TransactionScope, venueAccounts: ReadonlySet<Address>): readonly DraftSwap[] {
  if (!movesEquity(scope.transaction)) return NONE;
  const legs = equityLegsOf(scope, venueAccounts);
  const traders = findTraders(scope, legs, venueAccounts);
  const first = scope.transaction.instructions.length;
  return legs.map((leg, place) => equitySwap(scope, first + place, leg, traders.get(leg) ?? scope.feePayer));
}

/** Most transactions move none: this is all they pay. */
function movesEquity({ tokenBalances }: Transaction): boolean {
  for (const { pre, post, mint } of tokenBalances) if (pre !== post && equity(mint) !== undefined) return true;
  return false;
}

function equitySwap(scope: TransactionScope, ixIndex: number, leg: EquityLeg, trader: Address): DraftSwap {
  const { pool, shares, money } = leg;
  const tokenAmount = magnitude(shares.delta);
  const quoteAmount = magnitude(money.delta);
  const draft = draftSwap(scope, ixIndex, {
    mint: shares.mint,
    venue: EQUITY,
    pool,
    user: trader,
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
    priced: showsPrice(scope, leg),
    byProtocol: false,
    budget: UNMEASURED_BUDGET,
  });
  return { ...draft, quoteDecimals: money.decimals, router: routerAbovePool(scope.transaction, leg) };
}

/** Finds who got what the pools gave, or gave what they got; pools are none of them. */
function findTraders(
  scope: TransactionScope,
  legs: readonly EquityLeg[],
  venueAccounts: ReadonlySet<Address>,
): ReadonlyMap<EquityLeg, Address | undefined> {
  const { transaction } = scope;
  const reserves = new Set([...venueAccounts, ...legs.flatMap(({ shares, money }) => [shares.owner, money.owner])]);
  const traders = new Map<EquityLeg, Address | undefined>();
  for (const mint of new Set(legs.map(({ shares }) => shares.mint))) {
    const called = legs
      .filter(({ shares }) => shares.mint === mint)
      .map((leg) => ({ leg, span: spanOf(transaction, leg) }))
      .sort((a, b) => a.span.first - b.span.first);
    const group = { legs: called.map(({ leg, span }) => ({ tokens: -leg.shares.delta, span })), through: undefined };
    const owners = ownersOfLegs(group, tokenMoves(transaction, mint), new OpenDeltas(scope, mint, reserves));
    called.forEach(({ leg }, place) => {
      traders.set(leg, owners[place]);
    });
  }
  return traders;
}

function spanOf(transaction: Transaction, { call }: EquityLeg): { readonly first: number; readonly last: number } {
  return call === undefined ? { first: -1, last: transaction.instructions.length } : callSpan(transaction, call);
}

/** The pool's own program is the innermost that has both its vaults; called directly, it is no router. */
function routerAbovePool(transaction: Transaction, { call }: EquityLeg): Address | undefined {
  const innermost = call === undefined ? undefined : transaction.instructions[call];
  return innermost === undefined || innermost.parent < 0 ? undefined : routerOf(transaction, innermost.index);
}
