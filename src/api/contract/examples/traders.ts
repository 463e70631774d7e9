import type { HolderCount, Trader } from '../resources/trader.ts';
import { holderExample } from './tokens.ts';

/** The same made-up token as in the other examples. */
const { symbol: _symbol, name: _name, avg_cost: _cost, ...position } = holderExample;

export const traderExample: Trader = {
  ...position,
  token_balance: '0',
  sol_received: '1245000000',
  tokens_sold: position.tokens_bought,
  realized_pnl: '257345679',
  last_trade_at: '2026-08-01T10:04:11Z',
  trade_count: 2,
};

export const holderCountExample: HolderCount = { time: '2026-08-01T10:00:00Z', holders: 214 };
