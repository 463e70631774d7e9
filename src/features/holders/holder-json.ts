import { timeJson } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import type { PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { ratioPrice } from '../../token/price-string.ts';
import { quoteDecimalsOf } from '../../token/quote-decimals.ts';
import { quotePrice, quoteUnitFields } from '../../token/row-json.ts';
import { decimalsOf, nameFields, pricingSwap, type TokenState } from '../../token/state.ts';

/** What one wallet holds of a token, over all quotes it traded in. */
export interface Holder {
  readonly trader: Address | '';
  /** Raw token units, as far as trades tell. */
  readonly balance: bigint;
  /** One per quote. */
  readonly positions: readonly PositionRow[];
}

/** Wallets with a balance, largest first; equal ones by address, so that the order is one. */
export function rankHolders(positions: Iterable<PositionRow>): Holder[] {
  return groupByWallet(positions)
    .filter(({ balance }) => balance > 0n)
    .sort(compareHolders);
}

/** Wallets in the order in which their first position comes, whatever they hold. */
export function groupByWallet(positions: Iterable<PositionRow>): Holder[] {
  const byTrader = new Map<Address | '', PositionRow[]>();
  for (const position of positions) {
    const known = byTrader.get(position.trader);
    if (known === undefined) byTrader.set(position.trader, [position]);
    else known.push(position);
  }
  return Array.from(byTrader, ([trader, rows]) => {
    const balance = rows.reduce((sum, row) => sum + row.token_balance, 0n);
    return { trader, balance, positions: rows };
  });
}

function compareHolders(a: Holder, b: Holder): number {
  if (a.balance !== b.balance) return a.balance > b.balance ? -1 : 1;
  return a.trader < b.trader ? -1 : 1;
}

export function holdersBody(token: TokenState, holders: readonly Holder[]): Buffer {
  const named = nameFields(token);
  return Buffer.from(`{"data":[${holders.map((holder) => holderJson(token, named, holder)).join(',')}]}`);
}

/** The same rows of wallets in another order, without the token's name. */
export function tradersBody(token: TokenState, traders: readonly Holder[]): Buffer {
  return Buffer.from(`{"data":[${traders.map((trader) => holderJson(token, '', trader)).join(',')}]}`);
}

/**
 * Amounts of a wallet that traded in one quote are in that quote's raw units.
 * One that traded in several has no sum and no result that means anything: those
 * fields are left out, and so is everything about a cost nobody saw.
 */
function holderJson(token: TokenState, named: string, { trader, balance, positions }: Holder): string {
  const single = positions.length === 1 ? positions[0] : undefined;
  const sum = (read: (row: PositionRow) => bigint) => positions.reduce((total, row) => total + read(row), 0n);
  const first = Math.min(...positions.map((row) => row.first_time));
  const last = Math.max(...positions.map((row) => row.last_time));
  return (
    `{"trader":"${trader}","mint":"${token.mint}"` +
    named +
    `,"token_balance":"${balance}"` +
    (single === undefined
      ? ''
      : `,"sol_invested":"${single.quote_invested}","sol_received":"${single.quote_received}"`) +
    `,"tokens_bought":"${sum((row) => row.tokens_bought)}","tokens_sold":"${sum((row) => row.tokens_sold)}"` +
    (single?.pnl_known ? `,"realized_pnl":"${single.realized_pnl}"` : '') +
    averageCostField(token, single) +
    currentPriceField(token, single?.quote_mint ?? '') +
    (first === 0 ? '' : `,"first_trade_at":${timeJson(first)}`) +
    (last === 0 ? '' : `,"last_trade_at":${timeJson(last)}`) +
    `,"trade_count":${positions.reduce((total, row) => total + row.buys + row.sells, 0)}` +
    (single === undefined || single.quote_mint === '' ? '' : quoteField(token, single.quote_mint)) +
    '}'
  );
}

/** Mean cost of the tokens whose basis is known, in the position's quote per token. */
function averageCostField(token: TokenState, position: PositionRow | undefined): string {
  if (position === undefined || position.basis_tokens === 0n) return '';
  const quoteDecimals = quoteDecimalsOf(token, position.quote_mint);
  const tokenDecimals = decimalsOf(token);
  if (quoteDecimals === undefined || tokenDecimals === undefined) return '';
  const cost = ratioPrice({ quote: position.basis, token: position.basis_tokens, quoteDecimals, tokenDecimals });
  return `,"avg_cost":"${cost}"`;
}

/** The price the token stands at, in the row's own quote: what it is in another would be held against costs in this one. */
function currentPriceField(token: TokenState, quote: Address | ''): string {
  const swap = pricingSwap(token);
  const price = swap?.quote_mint === quote ? quotePrice(swap) : undefined;
  return price === undefined ? '' : `,"current_price":"${price}"`;
}

function quoteField(token: TokenState, quote: Address): string {
  return `,"quote_mint":"${quote}"${quoteUnitFields(quote, quoteDecimalsOf(token, quote))}`;
}
