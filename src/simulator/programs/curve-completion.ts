import { type Address, ZERO_ADDRESS } from '../../chain/address.ts';
import { AMM } from '../../facts/venue.ts';
import { feeOf, netOfFees } from '../../programs/basis-points.ts';
import { encodeLayout } from '../../programs/layout-writer.ts';
import { type CurveTrade as CurveFill, POOL_SEED_TOKENS } from '../../programs/pump/curve.ts';
import { PUMP_EVENT_AUTHORITY } from '../../programs/pump/ids.ts';
import { TRADE_EVENTS } from '../../programs/pump/trade-events.ts';
import type { Execution } from '../runtime/execution.ts';
import { buybackPart, CURVE_RATES, type CurveTrade, keepsFees, migrationFee } from './curve-terms.ts';
import { executionPrice } from './price.ts';
import { emitEvent } from './venue.ts';

/** The part of a completing buy that the future pool fills; raw units. */
export interface PostCompletePart {
  readonly baseOut: bigint;
  /** Without fees. */
  readonly quoteIn: bigint;
  readonly fee: bigint;
  readonly creatorFee: bigint;
  readonly buybackFee: bigint;
  readonly poolBaseBefore: bigint;
  readonly poolQuoteBefore: bigint;
}

/**
 * The part of a buy that wants more than the curve has left, served by the pool that will follow. Only v3 buys have
 * one.
 */
export function postCompletePart(trade: CurveTrade, fill: CurveFill): PostCompletePart | undefined {
  const { coin } = trade;
  if (fill.after.realToken !== 0n || !keepsFees(trade.name) || coin.mayhem) return undefined;
  const poolBaseBefore = POOL_SEED_TOKENS;
  const poolQuoteBefore = fill.after.realQuote - migrationFee(coin);
  const { protocol, creator } = CURVE_RATES;
  let baseOut: bigint;
  let quoteIn: bigint;
  if (trade.name === 'buy_v3') {
    baseOut = trade.amount - fill.tokenAmount;
    quoteIn = (poolQuoteBefore * baseOut + poolBaseBefore - baseOut - 1n) / (poolBaseBefore - baseOut);
  } else {
    quoteIn = netOfFees(trade.amount - fill.userQuote, [protocol, creator]);
    baseOut = quoteIn <= 1n ? 0n : (poolBaseBefore * (quoteIn - 1n)) / (poolQuoteBefore + quoteIn - 1n);
  }
  if (baseOut <= 0n) return undefined;
  const fee = feeOf(quoteIn, protocol);
  return {
    baseOut,
    quoteIn,
    fee,
    creatorFee: feeOf(quoteIn, creator),
    buybackFee: buybackPart(coin, fee),
    poolBaseBefore,
    poolQuoteBefore,
  };
}

/** Announces a full curve and, after it, what the buy took from the future pool. */
export function completeCurve(execution: Execution, trade: CurveTrade, post: PostCompletePart | undefined): void {
  const { coin, user } = trade;
  const common = {
    user,
    mint: coin.token.mint,
    bondingCurve: coin.addresses.curve,
    timestamp: BigInt(execution.unixTime),
    quoteMint: coin.quote?.mint ?? ZERO_ADDRESS,
  };
  const ixIndex = emitEvent(execution, PUMP_EVENT_AUTHORITY, encodeLayout(TRADE_EVENTS.CompleteEvent, common));
  execution.record.completed.push({ ixIndex, mint: common.mint, bondingCurve: common.bondingCurve, user });
  if (post !== undefined) emitPostComplete(execution, trade, common, post);
}

function emitPostComplete(
  execution: Execution,
  { coin, user }: CurveTrade,
  common: Readonly<Record<'user' | 'mint' | 'bondingCurve' | 'quoteMint', Address>> & { readonly timestamp: bigint },
  post: PostCompletePart,
): void {
  const poolBaseReservesAfter = post.poolBaseBefore - post.baseOut;
  const poolQuoteReservesAfter = post.poolQuoteBefore + post.quoteIn;
  const event = encodeLayout(TRADE_EVENTS.PostCompleteBuyEvent, {
    ...common,
    baseOut: post.baseOut,
    quoteIn: post.quoteIn,
    feeBasisPoints: CURVE_RATES.protocol,
    fee: post.fee,
    creatorFeeBasisPoints: CURVE_RATES.creator,
    creatorFee: post.creatorFee,
    buybackFee: post.buybackFee,
    poolBaseReservesBefore: post.poolBaseBefore,
    poolQuoteReservesBefore: post.poolQuoteBefore,
    poolBaseReservesAfter,
    poolQuoteReservesAfter,
  });
  const ixIndex = emitEvent(execution, PUMP_EVENT_AUTHORITY, event);
  execution.record.swaps.push({
    ixIndex,
    mint: coin.token.mint,
    venue: AMM,
    pool: coin.addresses.pool,
    trader: user,
    isBuy: true,
    quoteMint: coin.quote?.mint,
    quoteDecimals: coin.quote?.decimals ?? 9,
    tokenDecimals: coin.token.decimals,
    quoteAmount: post.quoteIn,
    tokenAmount: post.baseOut,
    ...executionPrice(post.quoteIn, post.baseOut, { quote: poolQuoteReservesAfter, token: poolBaseReservesAfter }),
    fee: post.fee,
    creatorFee: post.creatorFee,
    lpFee: 0n,
    feeInToken: false,
    feeCreator: undefined,
    virtualQuoteReserves: poolQuoteReservesAfter,
    virtualTokenReserves: poolBaseReservesAfter,
    realQuoteReserves: poolQuoteReservesAfter,
    realTokenReserves: poolBaseReservesAfter,
    priced: true,
    protocolActor: false,
    router: execution.router,
  });
}
