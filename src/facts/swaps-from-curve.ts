import type { Transaction } from '../chain/block.ts';
import { canonicalPoolAddress } from '../programs/pump/addresses.ts';
import type { PostCompleteBuyEvent, TradeEvent } from '../programs/pump/events.ts';
import { COIN_DECIMALS } from '../programs/pump/ids.ts';
import { readVenueInstruction } from '../programs/venue-instruction.ts';
import { type DraftSwap, draftSwap } from './draft-swap.ts';
import { priceRatio } from './price.ts';
import { quoteOf } from './quotes.ts';
import { type TransactionScope, UNMEASURED_BUDGET } from './transaction-scope.ts';
import { AMM, BONDING_CURVE } from './venue.ts';

/** Fee that the curve charged while its events did not tell fees, until May 2025. */
const FLAT_FEE_BPS = 100n;
const BPS = 10_000n;

/** The row of a trade on the bonding curve. `callIndex` is the instruction that traded. */
export function curveSwap(scope: TransactionScope, event: TradeEvent, ixIndex: number, callIndex: number): DraftSwap {
  const quoteMint = quoteOf(event.quoteMint);
  const inSol = quoteMint === undefined;
  const quoteAmount = inSol ? event.solAmount : (event.quoteAmount ?? 0n);
  const virtualQuote = inSol ? event.virtualSolReserves : event.virtualQuoteReserves;
  return draftSwap(scope, ixIndex, {
    mint: event.mint,
    venue: BONDING_CURVE,
    pool: undefined,
    user: event.user,
    isBuy: event.isBuy,
    quoteMint,
    tokenDecimals: COIN_DECIMALS,
    quoteAmount,
    tokenAmount: event.tokenAmount,
    price: priceRatio(quoteAmount, event.tokenAmount, virtualQuote, event.virtualTokenReserves),
    fee: event.fee ?? flatFee(scope.transaction, event, callIndex),
    creatorFee: event.creatorFee ?? 0n,
    lpFee: 0n,
    feeInToken: false,
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
 * The fee of a trade whose event does not tell it. The program rounded it down
 * at first and up later: what the recipient got decides, unless it got more in
 * the same transaction.
 */
function flatFee(transaction: Transaction, event: TradeEvent, callIndex: number): bigint {
  const fee = (event.solAmount * FLAT_FEE_BPS) / BPS;
  const call = transaction.instructions[callIndex];
  const recipient = call && readVenueInstruction(transaction, call)?.account('feeRecipient');
  const index = recipient === undefined ? -1 : transaction.keys.indexOf(recipient);
  if (index < 0) return fee;
  const received = (transaction.postBalances.at(index) ?? 0n) - (transaction.preBalances.at(index) ?? 0n);
  return received === fee + 1n ? received : fee;
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
    venue: AMM,
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
    feeInToken: false,
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
