import { AMM } from '../../facts/venue.ts';
import { encodeLayout } from '../../programs/layout-writer.ts';
import { PUMP_AMM_FEE_CONFIG, PUMP_AMM_PROGRAM } from '../../programs/pump-amm/ids.ts';
import {
  buyBase,
  buyWithQuote,
  marketCap,
  type PoolTrade as PoolFill,
  type PoolReserves,
  sellBase,
} from '../../programs/pump-amm/pool.ts';
import { POOL_INSTRUCTIONS } from '../../programs/pump-amm/pool-instructions.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { poolTradeAccounts } from './pool-accounts.ts';
import { emitPoolTrade } from './pool-events.ts';
import { poolRates } from './pool-fees.ts';
import { settlePoolTrade } from './pool-settlement.ts';
import { isInverted, type PoolTrade, type PoolTradeName, poolKeepsFees, poolReserves } from './pool-terms.ts';
import { askFees, type FeeRates } from './venue.ts';

const ZERO_BASE_AMOUNT = 6001;
const EXCEEDED_SLIPPAGE = 6004;
const BUY_MORE_BASE_THAN_RESERVES = 6016;
const OVERFLOW = 6023;
const BUY_SLIPPAGE_BELOW_MIN_BASE_OUT = 6040;
const INSUFFICIENT_REAL_QUOTE = 6063;

export function poolTrade(trade: PoolTrade): Instruction {
  const { name, pool, user } = trade;
  const buysBase = !name.startsWith('sell');
  const inverted = isInverted(pool);
  return {
    program: PUMP_AMM_PROGRAM,
    accounts: poolTradeAccounts(name, pool, user),
    data: tradeData(trade),
    trade: {
      mint: inverted ? pool.quote.mint : pool.base.mint,
      venue: AMM,
      trader: user,
      isBuy: buysBase !== inverted,
    },
    run: (execution) => runTrade(execution, trade, buysBase),
  };
}

function tradeData({ amount, limit, name }: PoolTrade): Uint8Array {
  const layouts = POOL_INSTRUCTIONS;
  switch (name) {
    case 'buy':
      return encodeLayout(layouts.buy, { baseAmountOut: amount, maxQuoteAmountIn: limit, trackVolume: false });
    case 'buy_v2':
      return encodeLayout(layouts.buy_v2, { baseAmountOut: amount, maxQuoteAmountIn: limit });
    case 'buy_exact_quote_in':
      return encodeLayout(layouts.buy_exact_quote_in, {
        spendableQuoteIn: amount,
        minBaseAmountOut: limit,
        trackVolume: false,
      });
    case 'buy_exact_quote_in_v2':
      return encodeLayout(layouts.buy_exact_quote_in_v2, { spendableQuoteIn: amount, minBaseAmountOut: limit });
    default:
      return encodeLayout(layouts[name], { baseAmountIn: amount, minQuoteAmountOut: limit });
  }
}

const LOG_NAMES: Readonly<Record<PoolTradeName, string>> = {
  buy: 'Buy',
  buy_exact_quote_in: 'BuyExactQuoteIn',
  sell: 'Sell',
  buy_v2: 'BuyV2',
  buy_exact_quote_in_v2: 'BuyExactQuoteInV2',
  sell_v2: 'SellV2',
};

function runTrade(execution: Execution, trade: PoolTrade, buysBase: boolean): void {
  const { name, pool } = trade;
  const { bank } = execution;
  execution.record.touchesVenue = true;
  execution.log(`Instruction: ${LOG_NAMES[name]}`);
  const before = poolReserves(bank, pool);
  const cap = marketCap(before, bank.mint(pool.base.mint).supply);
  const rates = poolRates(pool, cap);
  if (!poolKeepsFees(name)) {
    const question = { feeConfig: PUMP_AMM_FEE_CONFIG, isPool: pool.canonical, marketCap: cap, quote: pool.quote.mint };
    askFees(execution, question, rates);
  }
  if (trade.amount === 0n) execution.fail(ZERO_BASE_AMOUNT, 'ZeroBaseAmount');
  const fill = fillTrade(execution, trade, before, rates);
  const settlement = settlePoolTrade(execution, trade, fill, buysBase);
  emitPoolTrade(execution, trade, { before, buysBase, fill, rates, settlement });
}

function fillTrade(execution: Execution, trade: PoolTrade, reserves: PoolReserves, rates: FeeRates): PoolFill {
  const { amount, limit, name } = trade;
  const fees = { lpBps: rates.lp, protocolBps: rates.protocol, creatorBps: rates.creator };
  if (name === 'sell' || name === 'sell_v2') {
    const fill = orFail(execution, INSUFFICIENT_REAL_QUOTE, 'InsufficientRealQuoteReserves', () => {
      return sellBase(reserves, amount, fees);
    });
    if (fill.userQuote < 0n) execution.fail(OVERFLOW, 'Overflow');
    if (fill.userQuote < limit) execution.fail(EXCEEDED_SLIPPAGE, 'ExceededSlippage');
    return fill;
  }
  if (name === 'buy' || name === 'buy_v2') {
    const fill = orFail(execution, BUY_MORE_BASE_THAN_RESERVES, 'BuyMoreBaseAmountThanPoolReserves', () => {
      return buyBase(reserves, amount, fees);
    });
    if (fill.userQuote > limit) execution.fail(EXCEEDED_SLIPPAGE, 'ExceededSlippage');
    return fill;
  }
  const fill = buyWithQuote(reserves, amount, fees);
  if (fill.baseAmount < limit || fill.baseAmount === 0n) {
    execution.fail(BUY_SLIPPAGE_BELOW_MIN_BASE_OUT, 'BuySlippageBelowMinBaseAmountOut');
  }
  return fill;
}

/** The arithmetic refuses by throwing; the program answers with a code. */
function orFail(execution: Execution, code: number, name: string, fill: () => PoolFill): PoolFill {
  try {
    return fill();
  } catch (error) {
    if (error instanceof RangeError) return execution.fail(code, name);
    throw error;
  }
}
