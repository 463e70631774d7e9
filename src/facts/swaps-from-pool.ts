import { type Address, ZERO_ADDRESS } from '../chain/address.ts';
import { canonicalPoolAddress } from '../programs/pump/addresses.ts';
import { COIN_DECIMALS } from '../programs/pump/ids.ts';
import type { BuyEvent, SellEvent } from '../programs/pump-amm/events.ts';
import { larger } from './amounts.ts';
import { type DraftSwap, draftSwap, type SwapReserves } from './draft-swap.ts';
import { type PoolMints, poolSides } from './pool-sides.ts';
import { priceRatio } from './price.ts';
import { mintDecimals, quoteOf } from './quotes.ts';
import { type TransactionScope, UNMEASURED_BUDGET } from './transaction-scope.ts';
import { AMM } from './venue.ts';

/** A pool trade in the program's own terms, where base and quote are as the pool orders them. */
interface PoolTrade {
  readonly buysBase: boolean;
  readonly base: bigint;
  /** Quote that the pool's formula moved: without any fee. */
  readonly netQuote: bigint;
  /** Quote that left or reached the user's account: with all fees. */
  readonly userQuote: bigint;
  readonly baseAfter: bigint;
  /** The vault, fees that wait in it included. */
  readonly quoteAfter: bigint;
  /** The reserve that prices the pool: the vault without waiting fees, and the virtual reserves. */
  readonly effectiveQuoteAfter: bigint;
}

/**
 * Amounts that a buy moved. Whichever field an instruction calls net, the vault's income is always net plus the
 * liquidity providers' fee, and the larger of the two amounts is what the user paid.
 */
function buyTrade(event: BuyEvent): PoolTrade {
  const { quoteAmountIn, userQuoteAmountIn, quoteAmountInWithLpFee: income } = event;
  return {
    buysBase: true,
    base: event.baseAmountOut,
    netQuote: income - event.lpFee,
    userQuote: larger(quoteAmountIn, userQuoteAmountIn),
    baseAfter: event.poolBaseTokenReserves - event.baseAmountOut,
    quoteAfter: event.poolQuoteTokenReserves + income + keptFees(event),
    effectiveQuoteAfter: event.poolQuoteTokenReserves + (event.virtualQuoteReserves ?? 0n) + income,
  };
}

function sellTrade(event: SellEvent): PoolTrade {
  const spent = event.quoteAmountOutWithoutLpFee;
  return {
    buysBase: false,
    base: event.baseAmountIn,
    netQuote: event.quoteAmountOut,
    userQuote: event.userQuoteAmountOut,
    baseAfter: event.poolBaseTokenReserves + event.baseAmountIn,
    quoteAfter: event.poolQuoteTokenReserves - spent + keptFees(event),
    effectiveQuoteAfter: event.poolQuoteTokenReserves + (event.virtualQuoteReserves ?? 0n) - spent,
  };
}

/** Fees that stay in the vault until a sweep: all but the buyback's part, where no recipient is named. */
function keptFees(event: BuyEvent | SellEvent): bigint {
  if (event.protocolFeeRecipient !== ZERO_ADDRESS) return 0n;
  return event.protocolFee - (event.buybackFee ?? 0n) + (event.coinCreatorFee ?? 0n);
}

export function poolBuy(
  scope: TransactionScope,
  event: BuyEvent,
  ixIndex: number,
  mints: PoolMints,
  byProtocol: boolean,
): DraftSwap {
  return poolSwap(scope, event, buyTrade(event), ixIndex, mints, byProtocol);
}

export function poolSell(scope: TransactionScope, event: SellEvent, ixIndex: number, mints: PoolMints): DraftSwap {
  return poolSwap(scope, event, sellTrade(event), ixIndex, mints, false);
}

/**
 * The row of a pool trade. On an inverted pool the token is the program's quote:
 * the side flips, the fees are in the token, and the token amount is what the
 * trader's account lost or got, fees included, as on every other row.
 */
function poolSwap(
  scope: TransactionScope,
  event: BuyEvent | SellEvent,
  trade: PoolTrade,
  ixIndex: number,
  mints: PoolMints,
  byProtocol: boolean,
): DraftSwap {
  const { token, quote, inverted } = poolSides(mints);
  const quoteMint = quoteOf(quote);
  const reserves = poolReserves(trade, inverted);
  const quoteAmount = inverted ? trade.base : trade.netQuote;
  const netTokens = inverted ? trade.netQuote : trade.base;
  return draftSwap(scope, ixIndex, {
    mint: token,
    venue: AMM,
    pool: event.pool,
    user: event.user,
    isBuy: trade.buysBase !== inverted,
    quoteMint,
    tokenDecimals: mintDecimals(scope.transaction, token) ?? COIN_DECIMALS,
    quoteAmount,
    tokenAmount: inverted ? trade.userQuote : trade.base,
    price: priceRatio(quoteAmount, netTokens, reserves.virtualQuote, reserves.virtualToken),
    fee: event.protocolFee,
    creatorFee: event.coinCreatorFee ?? 0n,
    lpFee: event.lpFee,
    feeInToken: inverted,
    feeCreator: event.coinCreator,
    reserves,
    priced: !inverted && isCanonicalPool(event.pool, token, quoteMint),
    byProtocol,
    budget: UNMEASURED_BUDGET,
  });
}

function poolReserves(trade: PoolTrade, inverted: boolean): SwapReserves {
  const { baseAfter, quoteAfter, effectiveQuoteAfter } = trade;
  return inverted
    ? { virtualQuote: baseAfter, virtualToken: effectiveQuoteAfter, realQuote: baseAfter, realToken: quoteAfter }
    : { virtualQuote: effectiveQuoteAfter, virtualToken: baseAfter, realQuote: quoteAfter, realToken: baseAfter };
}

/** Only the pool that the coin graduated to prices it: anyone can make others for the same pair. */
export function isCanonicalPool(pool: Address, token: Address, quoteMint: Address | undefined): boolean {
  return pool === canonicalPoolAddress(token, quoteMint);
}
