import { jsonBody, knownTime } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import type { Written } from '../../contract/written.ts';
import type { PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { ratioPrice } from '../../token/price-string.ts';
import { quoteDecimalsOf } from '../../token/quote-decimals.ts';
import { quotePrice, quoteUnit } from '../../token/row-json.ts';
import { decimalsOf, nameOf, pricingSwap, type TokenState } from '../../token/state.ts';
import { isBalanceKnown } from '../../token/wallet-balance.ts';
import type { Holder as HolderRow, Holders, Traders } from './contract.ts';

/** A wallet's balance of a token, and its positions in all quotes that it traded in. */
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
  const named = nameOf(token);
  return jsonBody({ data: holders.map((holder) => holderRow(token, named, holder)) } satisfies Written<Holders>);
}

/** The same rows of wallets in another order, without the token's name. */
export function tradersBody(token: TokenState, traders: readonly Holder[]): Buffer {
  return jsonBody({ data: traders.map((trader) => holderRow(token, {}, trader)) } satisfies Written<Traders>);
}

/**
 * Amounts of a wallet that traded in one quote are in that quote's raw units.
 * One that traded in several has no sum and no result that means anything: those
 * fields are left out, and so is everything about a cost nobody saw.
 */
function holderRow(
  token: TokenState,
  named: ReturnType<typeof nameOf>,
  { trader, balance, positions }: Holder,
): Written<HolderRow> {
  const single = positions.length === 1 ? positions[0] : undefined;
  const quote = single?.quote_mint ?? '';
  const isKnown = isBalanceKnown(positions);
  const sum = (read: (row: PositionRow) => bigint) => positions.reduce((total, row) => total + read(row), 0n);
  return {
    trader,
    mint: token.mint,
    ...named,
    token_balance: isKnown ? String(balance) : undefined,
    sol_invested: single?.quote_invested.toString(),
    sol_received: single?.quote_received.toString(),
    tokens_bought: String(sum((row) => row.tokens_bought)),
    tokens_sold: String(sum((row) => row.tokens_sold)),
    realized_pnl: isKnown && single?.pnl_known ? String(single.realized_pnl) : undefined,
    avg_cost: isKnown ? averageCost(token, single) : undefined,
    current_price: currentPrice(token, quote),
    first_trade_at: knownTime(Math.min(...positions.map((row) => row.first_time))),
    last_trade_at: knownTime(Math.max(...positions.map((row) => row.last_time))),
    trade_count: positions.reduce((total, row) => total + row.buys + row.sells, 0),
    quote_mint: quote || undefined,
    ...(quote === '' ? {} : quoteUnit(quote, quoteDecimalsOf(token, quote))),
    partial: !isKnown || undefined,
  };
}

/** Mean cost of the tokens whose basis is known, in the position's quote per token. */
function averageCost(token: TokenState, position: PositionRow | undefined): string | undefined {
  if (position === undefined || position.basis_tokens === 0n) return undefined;
  const quoteDecimals = quoteDecimalsOf(token, position.quote_mint);
  const tokenDecimals = decimalsOf(token);
  if (quoteDecimals === undefined || tokenDecimals === undefined) return undefined;
  return ratioPrice({ quote: position.basis, token: position.basis_tokens, quoteDecimals, tokenDecimals });
}

/** The price the token stands at, in the row's own quote: what it is in another would be held against costs in this one. */
function currentPrice(token: TokenState, quote: Address | ''): string | undefined {
  const swap = pricingSwap(token);
  return swap?.quote_mint === quote ? quotePrice(swap) : undefined;
}
