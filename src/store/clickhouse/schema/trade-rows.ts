import type { Address } from '../../../chain/address.ts';
import type { Attempt, AttemptOutcome, FactBase, Swap } from '../../../facts/fact.ts';
import type { AttemptRow, SwapRow } from './tables.ts';

/** Decimals of a quote that nobody has told us yet. */
export const UNKNOWN_DECIMALS = 255;

const BUNDLED = { no: 0, yes: 1, unknown: 2 } as const;
const SIDE = { sell: 0, buy: 1, unknown: 2 } as const;
const OUTCOME: Readonly<Record<AttemptOutcome, number>> = { rejected: 1, self_abort: 2, failed_unknown: 3 };

/** '' stands for an address that is not there. */
export function orNone(address: Address | undefined): Address | '' {
  return address ?? '';
}

/** The columns that say where a fact happened, and whether its whole block was there. */
export function originOf(fact: FactBase, partial: boolean) {
  return {
    slot: fact.slot,
    block_index: fact.blockIndex,
    ix_index: fact.ixIndex,
    time: fact.time,
    signature: fact.signature,
    partial,
  };
}

// Written out in full, without spreading: these two are most of what ingest writes.

export function swapRow(swap: Swap, partial: boolean): SwapRow {
  return {
    mint: swap.mint,
    slot: swap.slot,
    block_index: swap.blockIndex,
    ix_index: swap.ixIndex,
    time: swap.time,
    signature: swap.signature,
    partial,
    venue: swap.venue,
    pool: orNone(swap.pool),
    trader: swap.trader,
    is_buy: swap.isBuy,
    quote_mint: orNone(swap.quoteMint),
    quote_decimals: swap.quoteDecimals ?? UNKNOWN_DECIMALS,
    token_decimals: swap.tokenDecimals,
    quote_amount: swap.quoteAmount,
    token_amount: swap.tokenAmount,
    price_quote: swap.priceQuote,
    price_token: swap.priceToken,
    price: swap.priceToken === 0n ? 0 : Number(swap.priceQuote) / Number(swap.priceToken),
    fee: swap.fee,
    creator_fee: swap.creatorFee,
    lp_fee: swap.lpFee,
    fee_in_token: swap.feeInToken,
    fee_creator: orNone(swap.feeCreator),
    virtual_quote_reserves: swap.virtualQuoteReserves ?? 0n,
    virtual_token_reserves: swap.virtualTokenReserves ?? 0n,
    real_quote_reserves: swap.realQuoteReserves ?? 0n,
    real_token_reserves: swap.realTokenReserves ?? 0n,
    reserves_known: swap.virtualQuoteReserves !== undefined,
    priced: swap.priced,
    protocol_actor: swap.protocolActor,
    bundled: swap.bundled === undefined ? BUNDLED.unknown : swap.bundled ? BUNDLED.yes : BUNDLED.no,
    fee_payer: swap.feePayer,
    router: orNone(swap.router),
    tip: swap.tip,
    tip_wallet: orNone(swap.tipWallet),
    cu_price: swap.budget.cuPrice,
    cu_limit: swap.budget.cuLimit,
    priority_fee: swap.budget.priorityFee,
    budget_source: swap.budget.source,
    network_fee: swap.networkFee,
  };
}

export function attemptRow(attempt: Attempt, partial: boolean): AttemptRow {
  return {
    mint: attempt.mint,
    slot: attempt.slot,
    block_index: attempt.blockIndex,
    ix_index: attempt.ixIndex,
    time: attempt.time,
    signature: attempt.signature,
    partial,
    venue: attempt.venue,
    trader: attempt.trader,
    side: attempt.isBuy === undefined ? SIDE.unknown : attempt.isBuy ? SIDE.buy : SIDE.sell,
    outcome: OUTCOME[attempt.outcome],
    why: attempt.why,
    error_code: attempt.errorCode ?? 0,
    program: orNone(attempt.program),
    router: orNone(attempt.router),
    fee_payer: attempt.feePayer,
    tip: attempt.tip,
    tip_wallet: orNone(attempt.tipWallet),
    cu_price: attempt.budget.cuPrice,
    cu_limit: attempt.budget.cuLimit,
    priority_fee: attempt.budget.priorityFee,
    budget_source: attempt.budget.source,
    network_fee: attempt.networkFee,
  };
}
