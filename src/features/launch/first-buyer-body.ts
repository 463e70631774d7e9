import { jsonBody, knownTime } from '../../books/json-text.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import type { Written } from '../../contract/written.ts';
import { EQUITY } from '../../facts/venue.ts';
import { answerOf } from '../../store/clickhouse/schema/codes.ts';
import type { PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { knownQuoteDecimals, quoteUnit, swapPrice } from '../../token/row-json.ts';
import { creatorOf, type TokenState } from '../../token/state.ts';
import { supplyPct as percent } from '../../token/supply.ts';
import { estimateOf, resultOf, type WalletRows } from '../../token/wallet-balance.ts';
import type { FirstBuyer, FirstBuyers } from './contract-shapes.ts';
import type { FirstBuyRow } from './launch-reads.ts';

/** A wallet's first buy, and what is folded of it by now. */
export interface Buyer {
  readonly buy: FirstBuyRow;
  readonly folded: WalletRows;
}

/** Buyers in order, from the first that are known. `partial` when there may have been others before. */
export function firstBuyersBody(token: TokenState, buyers: readonly Buyer[], partial: boolean): Buffer {
  const data = buyers.map((buyer, index) => buyerRow(token, buyer, index + 1));
  return jsonBody({ data, partial: partial || undefined } satisfies Written<FirstBuyers>);
}

function buyerRow(token: TokenState, { buy, folded }: Buyer, rank: number): Written<FirstBuyer> {
  const { creation } = token;
  const creator = creatorOf(token);
  const sol = buy.quote_mint === '';
  return {
    wallet: buy.trader,
    rank,
    slot: buy.slot,
    slots_after_creation: creation === undefined || creation.slot > buy.slot ? undefined : buy.slot - creation.slot,
    block_index: buy.block_index,
    time: knownTime(buy.time),
    sig: encodeSignature(buy.signature),
    sol_amount: sol || buy.venue === EQUITY ? String(buy.quote_amount) : '0',
    token_amount: String(buy.token_amount),
    price: swapPrice(buy),
    quote_mint: buy.quote_mint || undefined,
    quote_amount: sol ? undefined : String(buy.quote_amount),
    ...(sol ? {} : quoteUnit(buy.quote_mint, knownQuoteDecimals(buy))),
    is_dev: creator === undefined ? undefined : buy.trader === creator,
    bundled: answerOf(buy.bundled),
    ...walletFields(folded),
    partial: buy.partial || isUnknown(folded) || undefined,
  };
}

function isUnknown(folded: WalletRows): boolean {
  return folded.positions.length > 0 && estimateOf(folded) === undefined;
}

/**
 * Balance and sums of a wallet by trades and unexplained deltas, the balance only where it is known. No sum of what was
 * paid in several quotes is told.
 */
function walletFields(folded: WalletRows): Partial<Written<FirstBuyer>> {
  const { positions } = folded;
  if (positions.length === 0) return {};
  const single = positions.length === 1 ? positions[0] : undefined;
  const sum = (read: (row: PositionRow) => bigint) => positions.reduce((total, row) => total + read(row), 0n);
  const bought = sum((row) => row.tokens_bought);
  const sold = sum((row) => row.tokens_sold);
  const balance = estimateOf(folded);
  const result = balance === undefined ? undefined : resultOf(folded);
  return {
    tokens_bought: String(bought),
    tokens_sold: String(sold),
    token_balance: balance?.toString(),
    sold_pct: balance === undefined || bought === 0n || sold > bought ? undefined : percent(sold, bought),
    holding_state: balance === undefined ? undefined : balance > 0n ? 'holding' : 'closed',
    sol_invested: single?.quote_invested.toString(),
    sol_received: single?.quote_received.toString(),
    realized_pnl: result?.realizedPnl?.toString(),
    last_trade_at: knownTime(Math.max(...positions.map((row) => row.last_time))),
    trade_count: positions.reduce((total, row) => total + row.buys + row.sells, 0),
  };
}
