import { timeJson } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import { EQUITY } from '../../facts/venue.ts';
import { BUNDLED, BUNDLED_UNKNOWN } from '../../store/clickhouse/schema/codes.ts';
import type { PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { knownQuoteDecimals, quoteUnitFields, swapPrice } from '../../token/row-json.ts';
import { creatorOf, type TokenState } from '../../token/state.ts';
import { supplyPct as percent } from '../../token/supply.ts';
import type { FirstBuyRow } from './launch-reads.ts';

/** A wallet's first buy, and its positions by now. */
export interface Buyer {
  readonly buy: FirstBuyRow;
  readonly positions: readonly PositionRow[];
}

/** Buyers in order, from the first that are known. `partial` when there may have been others before. */
export function firstBuyersBody(token: TokenState, buyers: readonly Buyer[], partial: boolean): Buffer {
  const rows = buyers.map((buyer, index) => buyerJson(token, buyer, index + 1)).join(',');
  return Buffer.from(`{"data":[${rows}]${partial ? ',"partial":true}' : '}'}`);
}

function buyerJson(token: TokenState, { buy, positions }: Buyer, rank: number): string {
  const { creation } = token;
  const creator = creatorOf(token);
  return (
    `{"wallet":"${buy.trader}","rank":${rank},"slot":${buy.slot}` +
    (creation === undefined || creation.slot > buy.slot ? '' : `,"slots_after_creation":${buy.slot - creation.slot}`) +
    `,"block_index":${buy.block_index}` +
    (buy.time === 0 ? '' : `,"time":${timeJson(buy.time)}`) +
    `,"sig":"${encodeSignature(buy.signature)}"` +
    amountFields(buy) +
    (creator === undefined ? '' : `,"is_dev":${buy.trader === creator}`) +
    (buy.bundled === BUNDLED_UNKNOWN ? '' : `,"bundled":${buy.bundled === BUNDLED}`) +
    positionFields(positions) +
    (buy.partial ? ',"partial":true}' : '}')
  );
}

function amountFields(buy: FirstBuyRow): string {
  const sol = buy.quote_mint === '';
  const price = swapPrice(buy);
  return (
    `,"sol_amount":"${sol || buy.venue === EQUITY ? buy.quote_amount : 0n}","token_amount":"${buy.token_amount}"` +
    (price === undefined ? '' : `,"price":"${price}"`) +
    (sol
      ? ''
      : `,"quote_mint":"${buy.quote_mint}","quote_amount":"${buy.quote_amount}"` +
        quoteUnitFields(buy.quote_mint as Address, knownQuoteDecimals(buy)))
  );
}

/** Where the wallet stands, as far as trades tell. One that traded in several quotes has no sum of what it paid. */
function positionFields(positions: readonly PositionRow[]): string {
  if (positions.length === 0) return '';
  const single = positions.length === 1 ? positions[0] : undefined;
  const sum = (read: (row: PositionRow) => bigint) => positions.reduce((total, row) => total + read(row), 0n);
  const bought = sum((row) => row.tokens_bought);
  const sold = sum((row) => row.tokens_sold);
  const balance = sum((row) => row.token_balance);
  const last = Math.max(...positions.map((row) => row.last_time));
  return (
    `,"tokens_bought":"${bought}","tokens_sold":"${sold}","token_balance":"${balance}"` +
    (bought === 0n ? '' : `,"sold_pct":${percent(sold, bought)}`) +
    `,"holding_state":"${balance > 0n ? 'holding' : 'closed'}"` +
    (single === undefined
      ? ''
      : `,"sol_invested":"${single.quote_invested}","sol_received":"${single.quote_received}"`) +
    (single?.pnl_known ? `,"realized_pnl":"${single.realized_pnl}"` : '') +
    (last === 0 ? '' : `,"last_trade_at":${timeJson(last)}`) +
    `,"trade_count":${positions.reduce((total, row) => total + row.buys + row.sells, 0)}`
  );
}
