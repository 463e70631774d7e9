import type { Address } from '../../src/chain/address.ts';
import type { TradeEvent } from '../../src/programs/pump/events.ts';
import type { BuyEvent, SellEvent } from '../../src/programs/pump-amm/events.ts';
import { type CallSpec, eventCall, someAddress, venueCall } from './transaction-builder.ts';

/** A buy on the curve as its event told it in 2025. */
export function tradeEvent(over: Partial<TradeEvent>): TradeEvent {
  return {
    mint: someAddress(),
    solAmount: 1_000_000n,
    tokenAmount: 35_000_000_000n,
    isBuy: true,
    user: someAddress(),
    timestamp: 1_770_000_000n,
    virtualSolReserves: 30_001_000_000n,
    virtualTokenReserves: 1_072_965_000_000_000n,
    realSolReserves: 1_000_000n,
    realTokenReserves: 793_065_000_000_000n,
    feeRecipient: someAddress(),
    feeBasisPoints: 95n,
    fee: 9_500n,
    creator: someAddress(),
    creatorFeeBasisPoints: 30n,
    creatorFee: 3_000n,
    ...over,
  };
}

export function curveBuy(event: TradeEvent): CallSpec {
  const accounts = { mint: event.mint, user: event.user };
  return venueCall('pump', 'buy', { amount: event.tokenAmount, maxSolCost: 1n }, accounts, [
    eventCall('pump', 'TradeEvent', event),
  ]);
}

/** The sell that the event tells. */
export function curveSell(event: TradeEvent): CallSpec {
  const accounts = { mint: event.mint, user: event.user };
  return venueCall('pump', 'sell', { amount: event.tokenAmount, minSolOutput: 1n }, accounts, [
    eventCall('pump', 'TradeEvent', event),
  ]);
}

/** A buy in a pool, of the same time. */
export function poolEvent(over: Partial<BuyEvent>): BuyEvent {
  return {
    timestamp: 1_770_000_000n,
    baseAmountOut: 50_000_000n,
    maxQuoteAmountIn: 2_000_000n,
    userBaseTokenReserves: 0n,
    userQuoteTokenReserves: 9_000_000n,
    poolBaseTokenReserves: 200_000_000_000_000n,
    poolQuoteTokenReserves: 85_000_000_000n,
    quoteAmountIn: 1_000_000n,
    lpFeeBasisPoints: 20n,
    lpFee: 2_000n,
    protocolFeeBasisPoints: 5n,
    protocolFee: 500n,
    quoteAmountInWithLpFee: 1_002_000n,
    userQuoteAmountIn: 1_003_500n,
    pool: someAddress(),
    user: someAddress(),
    userBaseTokenAccount: someAddress(),
    userQuoteTokenAccount: someAddress(),
    protocolFeeRecipient: someAddress(),
    protocolFeeRecipientTokenAccount: someAddress(),
    coinCreator: someAddress(),
    coinCreatorFeeBasisPoints: 10n,
    coinCreatorFee: 1_000n,
    ...over,
  };
}

/** A sell into the same pool. */
export function sellEvent(over: Partial<SellEvent>): SellEvent {
  const { baseAmountOut, maxQuoteAmountIn, quoteAmountIn, quoteAmountInWithLpFee, userQuoteAmountIn, ...shared } =
    poolEvent({});
  return {
    ...shared,
    baseAmountIn: baseAmountOut,
    minQuoteAmountOut: maxQuoteAmountIn,
    quoteAmountOut: quoteAmountIn,
    quoteAmountOutWithoutLpFee: 998_000n,
    userQuoteAmountOut: 996_500n,
    ...over,
  };
}

export function poolBuy(event: BuyEvent, baseMint: Address, quoteMint: Address): CallSpec {
  const accounts = { pool: event.pool, user: event.user, baseMint, quoteMint };
  return venueCall('pump_amm', 'buy', { baseAmountOut: event.baseAmountOut, maxQuoteAmountIn: 1n }, accounts, [
    eventCall('pump_amm', 'BuyEvent', event),
  ]);
}

export function poolSell(event: SellEvent, baseMint: Address, quoteMint: Address): CallSpec {
  const accounts = { pool: event.pool, user: event.user, baseMint, quoteMint };
  return venueCall('pump_amm', 'sell', { baseAmountIn: event.baseAmountIn, minQuoteAmountOut: 1n }, accounts, [
    eventCall('pump_amm', 'SellEvent', event),
  ]);
}
