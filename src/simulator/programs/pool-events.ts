import { ZERO_ADDRESS } from '../../chain/address.ts';
import { AMM } from '../../facts/venue.ts';
import { encodeLayout } from '../../programs/layout-writer.ts';
import { PUMP_AMM_EVENT_AUTHORITY } from '../../programs/pump-amm/ids.ts';
import type { PoolTrade as PoolFill, PoolReserves } from '../../programs/pump-amm/pool.ts';
import { POOL_EVENTS } from '../../programs/pump-amm/pool-events.ts';
import type { Execution } from '../runtime/execution.ts';
import { BUYBACK_BPS } from './curve-terms.ts';
import type { PoolSettlement } from './pool-settlement.ts';
import { isInverted, type PoolTrade, poolReserves } from './pool-terms.ts';
import { executionPrice } from './price.ts';
import { associatedAccount } from './token.ts';
import { emitEvent, type FeeRates } from './venue.ts';

interface Outcome {
  /** Pool events tell the reserves from before the trade. */
  readonly before: PoolReserves;
  readonly buysBase: boolean;
  readonly fill: PoolFill;
  readonly rates: FeeRates;
  readonly settlement: PoolSettlement;
}

/** Publishes a pool trade, and records what it was. */
export function emitPoolTrade(execution: Execution, trade: PoolTrade, outcome: Outcome): void {
  const event = outcome.buysBase ? buyEvent(execution, trade, outcome) : sellEvent(execution, trade, outcome);
  recordSwap(execution, trade, outcome, emitEvent(execution, PUMP_AMM_EVENT_AUTHORITY, event));
}

function shared(execution: Execution, { pool, user }: PoolTrade, { before, fill, rates, settlement }: Outcome) {
  return {
    timestamp: BigInt(execution.unixTime),
    userBaseTokenReserves: settlement.userBase,
    userQuoteTokenReserves: settlement.userQuote,
    poolBaseTokenReserves: before.base,
    poolQuoteTokenReserves: before.quote,
    lpFeeBasisPoints: rates.lp,
    lpFee: fill.lpFee,
    protocolFeeBasisPoints: rates.protocol,
    protocolFee: fill.protocolFee,
    pool: pool.address,
    user,
    userBaseTokenAccount: associatedAccount(user, pool.base),
    userQuoteTokenAccount: associatedAccount(user, pool.quote),
    protocolFeeRecipient: settlement.feeRecipient,
    protocolFeeRecipientTokenAccount: settlement.feeRecipientAccount,
    coinCreator: pool.coinCreator,
    coinCreatorFeeBasisPoints: rates.creator,
    coinCreatorFee: fill.creatorFee,
    cashbackFeeBasisPoints: 0n,
    cashback: 0n,
    buybackFeeBasisPoints: BUYBACK_BPS,
    buybackFee: settlement.buybackFee,
    virtualQuoteReserves: before.virtualQuote,
    canBoost: pool.boost > 0n,
    baseSupply: execution.bank.mint(pool.base.mint).supply,
    holderRewardsBps: 0n,
    holderRewards: 0n,
    creatorFeeUnclaimed: pool.creatorFees,
  };
}

function buyEvent(execution: Execution, trade: PoolTrade, outcome: Outcome): Uint8Array {
  const { fill } = outcome;
  const exactIn = trade.name.startsWith('buy_exact');
  return encodeLayout(POOL_EVENTS.BuyEvent, {
    ...shared(execution, trade, outcome),
    baseAmountOut: fill.baseAmount,
    maxQuoteAmountIn: exactIn ? trade.amount : trade.limit,
    // The two fields change places between buys of exact base and of exact quote.
    quoteAmountIn: exactIn ? fill.userQuote : fill.quoteAmount,
    userQuoteAmountIn: exactIn ? fill.quoteAmount : fill.userQuote,
    quoteAmountInWithLpFee: fill.quoteAmount + fill.lpFee,
    trackVolume: false,
    totalUnclaimedTokens: 0n,
    totalClaimedTokens: 0n,
    currentSolVolume: 0n,
    lastUpdateTimestamp: 0n,
    minBaseAmountOut: exactIn ? trade.limit : fill.baseAmount,
    ixName: trade.name,
  });
}

function sellEvent(execution: Execution, trade: PoolTrade, outcome: Outcome): Uint8Array {
  const { fill } = outcome;
  return encodeLayout(POOL_EVENTS.SellEvent, {
    ...shared(execution, trade, outcome),
    baseAmountIn: fill.baseAmount,
    minQuoteAmountOut: trade.limit,
    quoteAmountOut: fill.quoteAmount,
    quoteAmountOutWithoutLpFee: fill.quoteAmount - fill.lpFee,
    userQuoteAmountOut: fill.userQuote,
  });
}

/** On an inverted pool the coin is the quote: sides, amounts and reserves change places, and the fees are coins. */
function recordSwap(execution: Execution, { pool, user }: PoolTrade, outcome: Outcome, ixIndex: number): void {
  const { buysBase, fill } = outcome;
  const inverted = isInverted(pool);
  const after = poolReserves(execution.bank, pool);
  const effective = after.quote + after.virtualQuote;
  const coin = inverted ? pool.quote : pool.base;
  const money = inverted ? pool.base : pool.quote;
  const quoteAmount = inverted ? fill.baseAmount : fill.quoteAmount;
  const netTokens = inverted ? fill.quoteAmount : fill.baseAmount;
  const virtualQuoteReserves = inverted ? after.base : effective;
  const virtualTokenReserves = inverted ? effective : after.base;
  execution.record.swaps.push({
    ixIndex,
    mint: coin.mint,
    venue: AMM,
    pool: pool.address,
    trader: user,
    isBuy: buysBase !== inverted,
    quoteMint: money.decimals === 9 ? undefined : money.mint,
    quoteDecimals: money.decimals,
    tokenDecimals: coin.decimals,
    quoteAmount,
    tokenAmount: inverted ? fill.userQuote : fill.baseAmount,
    ...executionPrice(quoteAmount, netTokens, { quote: virtualQuoteReserves, token: virtualTokenReserves }),
    fee: fill.protocolFee,
    creatorFee: fill.creatorFee,
    lpFee: fill.lpFee,
    feeInToken: inverted,
    feeCreator: pool.coinCreator === ZERO_ADDRESS ? undefined : pool.coinCreator,
    virtualQuoteReserves,
    virtualTokenReserves,
    realQuoteReserves: inverted ? after.base : after.quote,
    realTokenReserves: inverted ? after.quote : after.base,
    priced: pool.canonical,
    protocolActor: false,
    router: execution.router,
  });
}
