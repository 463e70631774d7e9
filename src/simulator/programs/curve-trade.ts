import { ZERO_ADDRESS } from '../../chain/address.ts';
import { BONDING_CURVE } from '../../facts/venue.ts';
import { encodeLayout } from '../../programs/layout-writer.ts';
import {
  buyTokens,
  buyWithQuote,
  COIN_SUPPLY,
  type CurveFees,
  type CurveTrade as CurveFill,
  SOL_CURVE,
  sellTokens,
} from '../../programs/pump/curve.ts';
import { PUMP_EVENT_AUTHORITY, PUMP_FEE_CONFIG, PUMP_PROGRAM } from '../../programs/pump/ids.ts';
import { TRADE_EVENTS } from '../../programs/pump/trade-events.ts';
import { TRADE_INSTRUCTIONS } from '../../programs/pump/trade-instructions.ts';
import type { Coin, CurveState } from '../market.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { curveTradeAccounts } from './curve-accounts.ts';
import { completeCurve, type PostCompletePart, postCompletePart } from './curve-completion.ts';
import { type CurveSettlement, settleCurveTrade } from './curve-settlement.ts';
import {
  AGENT_RATES,
  buybackBps,
  CURVE_RATES,
  type CurveTrade,
  type CurveTradeName,
  keepsFees,
} from './curve-terms.ts';
import { executionPrice } from './price.ts';
import { associatedAccount } from './token.ts';
import { ACCOUNT_NOT_INITIALIZED, askFees, emitEvent, type FeeRates } from './venue.ts';

const TOO_MUCH_SOL_REQUIRED = 6002;
const TOO_LITTLE_SOL_RECEIVED = 6003;
const BONDING_CURVE_COMPLETE = 6005;
const NOT_ENOUGH_TOKENS_TO_BUY = 6021;
const NOT_ENOUGH_TOKENS_TO_SELL = 6023;
const OVERFLOW = 6024;
const BUY_SLIPPAGE_BELOW_MIN_TOKENS_OUT = 6042;

const AGENT_LEVERAGE = 400n;

/** The instruction of a trade on the curve, which runs it when its turn comes. */
export function curveTrade(trade: CurveTrade): Instruction {
  const isBuy = !trade.name.startsWith('sell');
  return {
    program: PUMP_PROGRAM,
    accounts: curveTradeAccounts(trade.name, trade.coin, trade.user),
    data: tradeData(trade),
    trade: { mint: trade.coin.token.mint, venue: BONDING_CURVE, trader: trade.user, isBuy },
    run: (execution) => runTrade(execution, trade, isBuy),
  };
}

function tradeData({ name, amount, limit }: CurveTrade): Uint8Array {
  const layouts = TRADE_INSTRUCTIONS;
  switch (name) {
    case 'buy':
      return encodeLayout(layouts.buy, { amount, maxSolCost: limit, trackVolume: false });
    case 'buy_exact_sol_in':
      return encodeLayout(layouts.buy_exact_sol_in, {
        spendableSolIn: amount,
        minTokensOut: limit,
        trackVolume: false,
      });
    case 'buy_v2':
    case 'buy_v3':
      return encodeLayout(layouts[name], { amount, maxSolCost: limit });
    case 'buy_exact_quote_in_v2':
    case 'buy_exact_quote_in_v3':
      return encodeLayout(layouts[name], { spendableQuoteIn: amount, minTokensOut: limit });
    default:
      return encodeLayout(layouts[name], { amount, minSolOutput: limit });
  }
}

const LOG_NAMES: Readonly<Record<CurveTradeName, string>> = {
  buy: 'Buy',
  buy_exact_sol_in: 'BuyExactSolIn',
  sell: 'Sell',
  buy_v2: 'BuyV2',
  buy_exact_quote_in_v2: 'BuyExactQuoteInV2',
  sell_v2: 'SellV2',
  buy_v3: 'BuyV3',
  buy_exact_quote_in_v3: 'BuyExactQuoteInV3',
  sell_v3: 'SellV3',
};

/** The event names the kind of trade, not the version of the instruction. */
export function curveEventName(name: CurveTradeName): string {
  return name.replace(/_v[23]$/, '');
}

function runTrade(execution: Execution, trade: CurveTrade, isBuy: boolean): void {
  const { coin } = trade;
  execution.record.touchesVenue = true;
  execution.log(`Instruction: ${LOG_NAMES[trade.name]}`);
  const { curve } = coin;
  if (curve === undefined) execution.fail(ACCOUNT_NOT_INITIALIZED, 'AccountNotInitialized');
  const rates = trade.byAgent === true ? AGENT_RATES : CURVE_RATES;
  // The third version reads the fee configuration itself.
  if (!keepsFees(trade.name)) askFees(execution, feeQuestion(coin, curve), rates);
  if (curve.complete) execution.fail(BONDING_CURVE_COMPLETE, 'BondingCurveComplete');
  const fees = { protocolBps: rates.protocol, creatorBps: rates.creator };
  const plain = isBuy ? fillBuy(execution, trade, curve, fees) : fillSell(execution, trade, curve, fees);
  const fill = trade.byAgent === true ? remarked(plain, isBuy) : plain;
  const post = isBuy && trade.byAgent !== true ? postCompletePart(trade, fill) : undefined;
  if (isBuy) checkBuyLimit(execution, trade, fill, post);
  const settlement = settleCurveTrade(execution, trade, curve, isBuy, fill, post);
  emitTrade(execution, trade, isBuy, fill, settlement, rates);
  if (settlement.curve.complete) completeCurve(execution, trade, post);
}

/** The mayhem agent's trades rewrite the price far beyond what they move. */
function remarked(fill: CurveFill, isBuy: boolean): CurveFill {
  const push = fill.quoteAmount * AGENT_LEVERAGE;
  const virtualQuote = fill.after.virtualQuote + (isBuy ? push : -push);
  const floor = fill.after.realQuote + SOL_CURVE.virtualQuote / 4n;
  return { ...fill, after: { ...fill.after, virtualQuote: virtualQuote < floor ? floor : virtualQuote } };
}

function feeQuestion(coin: Coin, curve: CurveState): Parameters<typeof askFees>[1] {
  return {
    feeConfig: PUMP_FEE_CONFIG,
    isPool: false,
    marketCap: (curve.reserves.virtualQuote * COIN_SUPPLY) / curve.reserves.virtualToken,
    quote: coin.quote?.mint ?? ZERO_ADDRESS,
  };
}

function fillBuy(execution: Execution, trade: CurveTrade, curve: CurveState, fees: CurveFees): CurveFill {
  if (trade.name === 'buy' || trade.name === 'buy_v2' || trade.name === 'buy_v3') {
    return buyTokens(curve.reserves, trade.amount, fees);
  }
  const fill = buyWithQuote(curve.reserves, trade.amount, fees);
  if (fill.tokenAmount <= 0n) execution.fail(NOT_ENOUGH_TOKENS_TO_BUY, 'NotEnoughTokensToBuy');
  return fill;
}

function fillSell(execution: Execution, trade: CurveTrade, curve: CurveState, fees: CurveFees): CurveFill {
  const { coin, user } = trade;
  const held = execution.bank.tokenAccount(associatedAccount(user, coin.token))?.amount ?? 0n;
  if (held < trade.amount) execution.fail(NOT_ENOUGH_TOKENS_TO_SELL, 'NotEnoughTokensToSell');
  const fill = sellTokens(curve.reserves, trade.amount, fees);
  // Dust that does not even bring in its own fees; and what the curve, after an agent drove up its price, cannot pay.
  if (fill.userQuote < 0n || fill.after.realQuote < 0n) execution.fail(OVERFLOW, 'Overflow');
  if (fill.userQuote < trade.limit) {
    execution.fail(TOO_LITTLE_SOL_RECEIVED, 'TooLittleSolReceived');
  }
  return fill;
}

function checkBuyLimit(
  execution: Execution,
  trade: CurveTrade,
  fill: CurveFill,
  post: PostCompletePart | undefined,
): void {
  const tokens = fill.tokenAmount + (post?.baseOut ?? 0n);
  const cost = fill.userQuote + (post === undefined ? 0n : post.quoteIn + post.fee + post.creatorFee);
  if (trade.name.includes('exact')) {
    if (tokens < trade.limit) execution.fail(BUY_SLIPPAGE_BELOW_MIN_TOKENS_OUT, 'BuySlippageBelowMinTokensOut');
  } else if (cost > trade.limit) {
    execution.fail(TOO_MUCH_SOL_REQUIRED, 'TooMuchSolRequired');
  }
}

function emitTrade(
  execution: Execution,
  trade: CurveTrade,
  isBuy: boolean,
  fill: CurveFill,
  { curve, feeRecipient, buybackFee }: CurveSettlement,
  rates: FeeRates,
): void {
  const { coin, user } = trade;
  const { realQuote, realToken, virtualQuote, virtualToken } = curve.reserves;
  const inSol = coin.quote === undefined;
  const holderRewards = coin.holderReward ? fill.creatorFee : 0n;
  const event = encodeLayout(TRADE_EVENTS.TradeEvent, {
    mint: coin.token.mint,
    // Curves with another quote leave the SOL fields at zero.
    solAmount: inSol ? fill.quoteAmount : 0n,
    tokenAmount: fill.tokenAmount,
    isBuy,
    user,
    timestamp: BigInt(execution.unixTime),
    virtualSolReserves: inSol ? virtualQuote : 0n,
    virtualTokenReserves: virtualToken,
    realSolReserves: inSol ? realQuote : 0n,
    realTokenReserves: realToken,
    feeRecipient,
    feeBasisPoints: rates.protocol,
    fee: fill.fee,
    creator: coin.feeCreator,
    creatorFeeBasisPoints: rates.creator,
    creatorFee: fill.creatorFee,
    trackVolume: false,
    totalUnclaimedTokens: 0n,
    totalClaimedTokens: 0n,
    currentSolVolume: 0n,
    lastUpdateTimestamp: 0n,
    ixName: curveEventName(trade.name),
    mayhemMode: coin.mayhem,
    cashbackFeeBasisPoints: 0n,
    cashback: 0n,
    buybackFeeBasisPoints: buybackBps(coin),
    buybackFee,
    shareholders: [],
    quoteMint: coin.quote?.mint ?? ZERO_ADDRESS,
    quoteAmount: fill.quoteAmount,
    virtualQuoteReserves: virtualQuote,
    realQuoteReserves: realQuote,
    holderRewardsBps: coin.holderReward ? rates.creator : 0n,
    holderRewards,
    creatorFeeUnclaimed: curve.creatorFees,
  });
  const ixIndex = emitEvent(execution, PUMP_EVENT_AUTHORITY, event);
  execution.record.swaps.push({
    ixIndex,
    mint: coin.token.mint,
    venue: BONDING_CURVE,
    pool: undefined,
    trader: user,
    isBuy,
    quoteMint: coin.quote?.mint,
    quoteDecimals: coin.quote?.decimals ?? 9,
    tokenDecimals: coin.token.decimals,
    quoteAmount: fill.quoteAmount,
    tokenAmount: fill.tokenAmount,
    ...executionPrice(fill.quoteAmount, fill.tokenAmount, { quote: virtualQuote, token: virtualToken }),
    fee: fill.fee,
    creatorFee: fill.creatorFee,
    lpFee: 0n,
    feeInToken: false,
    feeCreator: coin.feeCreator,
    virtualQuoteReserves: virtualQuote,
    virtualTokenReserves: virtualToken,
    realQuoteReserves: realQuote,
    realTokenReserves: realToken,
    priced: true,
    protocolActor: trade.byAgent ?? false,
    router: execution.router,
  });
}
