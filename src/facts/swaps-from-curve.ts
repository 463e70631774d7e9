import { canonicalPoolAddress } from '../programs/pump/addresses.ts';
import type { PostCompleteBuyEvent, TradeEvent } from '../programs/pump/events.ts';
import { COIN_DECIMALS } from '../programs/pump/ids.ts';
import { type DraftSwap, draftSwap } from './draft-swap.ts';
import { priceRatio } from './price.ts';
import { quoteOf } from './quotes.ts';
import { type TransactionScope, UNMEASURED_BUDGET } from './transaction-scope.ts';

/** What the curve charged while its events did not tell fees, until May 2025. */
const FLAT_FEE_BPS = 100n;
const BPS = 10_000n;

/** The row of a trade on the bonding curve. */
export function curveSwap(scope: TransactionScope, event: TradeEvent, ixIndex: number): DraftSwap {
  const quoteMint = quoteOf(event.quoteMint);
  const inSol = quoteMint === undefined;
  const quoteAmount = inSol ? event.solAmount : (event.quoteAmount ?? 0n);
  const virtualQuote = inSol ? event.virtualSolReserves : event.virtualQuoteReserves;
  return draftSwap(scope, ixIndex, {
    mint: event.mint,
    venue: 0,
    pool: undefined,
    user: event.user,
    isBuy: event.isBuy,
    quoteMint,
    tokenDecimals: COIN_DECIMALS,
    quoteAmount,
    tokenAmount: event.tokenAmount,
    price: priceRatio(quoteAmount, event.tokenAmount, virtualQuote, event.virtualTokenReserves),
    fee: event.fee ?? (event.solAmount * FLAT_FEE_BPS) / BPS,
    creatorFee: event.creatorFee ?? 0n,
    lpFee: 0n,
    feeCreator: event.creator,
    reserves: {
      virtualQuote,
      virtualToken: event.virtualTokenReserves,
      realQuote: inSol ? event.realSolReserves : event.realQuoteReserves,
      realToken: event.realTokenReserves,
    },
    priced: true,
    byProtocol: false,
    budget: scope.budget,
  });
}

/**
 * The pool part of a buy that completed the curve. The pool does not exist yet,
 * but its address is already certain, and the migration seeds it with exactly
 * the reserves that the event tells.
 */
export function completingSwap(scope: TransactionScope, event: PostCompleteBuyEvent, ixIndex: number): DraftSwap {
  const quoteMint = quoteOf(event.quoteMint);
  const { poolQuoteReservesAfter, poolBaseReservesAfter } = event;
  return draftSwap(scope, ixIndex, {
    mint: event.mint,
    venue: 1,
    pool: canonicalPoolAddress(event.mint, quoteMint),
    user: event.user,
    isBuy: true,
    quoteMint,
    tokenDecimals: COIN_DECIMALS,
    quoteAmount: event.quoteIn,
    tokenAmount: event.baseOut,
    price: priceRatio(event.quoteIn, event.baseOut, poolQuoteReservesAfter, poolBaseReservesAfter),
    fee: event.fee,
    creatorFee: event.creatorFee,
    lpFee: 0n,
    feeCreator: undefined,
    reserves: {
      virtualQuote: poolQuoteReservesAfter,
      virtualToken: poolBaseReservesAfter,
      realQuote: poolQuoteReservesAfter,
      realToken: poolBaseReservesAfter,
    },
    priced: true,
    byProtocol: false,
    budget: UNMEASURED_BUDGET,
  });
}
