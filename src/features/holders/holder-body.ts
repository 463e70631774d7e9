import { jsonBody, knownTime } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import type { Written } from '../../contract/written.ts';
import { isProtocolActor } from '../../programs/registry/index.ts';
import type { HoldingRow, PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { ratioPrice } from '../../token/price-string.ts';
import { quoteDecimalsOf } from '../../token/quote-decimals.ts';
import { quotePrice, quoteUnit } from '../../token/row-json.ts';
import { decimalsOf, nameOf, pricingSwap, type TokenState } from '../../token/state.ts';
import { estimateOf, resultOf, type WalletResult, type WalletRows } from '../../token/wallet-balance.ts';
import type { Holder as HolderRow, Holders, Traders } from './contract.ts';

/** A wallet's balance of a token, and what is folded of it. */
export interface Holder extends WalletRows {
  readonly trader: Address | '';
  /** Raw token units; undefined while it is not known. */
  readonly balance: bigint | undefined;
}

/** A wallet whose balance is known. */
export type KnownHolder = Holder & { readonly balance: bigint };

/** Where the balances of a list come from, and whether some are missing. */
export interface HolderListFacts {
  readonly source: Holders['source'];
  /** Of the snapshot. */
  readonly slot?: number | undefined;
  readonly partial: boolean;
}

type HoldingsByWallet = ReadonlyMap<Address | '', HoldingRow>;

/** Holdings by their wallets. */
export function holdingsByWallet(holdings: readonly HoldingRow[]): HoldingsByWallet {
  return new Map(holdings.map((row) => [row.wallet, row]));
}

/** Wallets with a known balance above zero, largest first, without the protocol's own. */
export function rankHolders(positions: Iterable<PositionRow>, holdings: HoldingsByWallet = new Map()): KnownHolder[] {
  return sortHolders(groupByWallet(positions, holdings)).filter(
    ({ trader, balance }) => balance > 0n && (trader === '' || !isProtocolActor(trader)),
  );
}

/** Wallets whose balance is known, largest first; equal ones by address, so that the order is one. */
export function sortHolders(holders: readonly Holder[]): KnownHolder[] {
  return holders.filter(isKnown).sort(compareHolders);
}

function isKnown(holder: Holder): holder is KnownHolder {
  return holder.balance !== undefined;
}

/** Wallets in the order in which their first position comes, whatever they hold; behind them those that never traded. */
export function groupByWallet(positions: Iterable<PositionRow>, holdings: HoldingsByWallet = new Map()): Holder[] {
  const byTrader = new Map<Address | '', PositionRow[]>();
  for (const position of positions) {
    const known = byTrader.get(position.trader);
    if (known === undefined) byTrader.set(position.trader, [position]);
    else known.push(position);
  }
  for (const { wallet } of holdings.values()) if (!byTrader.has(wallet)) byTrader.set(wallet, []);
  return Array.from(byTrader, ([trader, rows]) => {
    const folded = { positions: rows, holding: holdings.get(trader) };
    return { trader, balance: estimateOf(folded), ...folded };
  });
}

function compareHolders(a: KnownHolder, b: KnownHolder): number {
  if (a.balance !== b.balance) return a.balance > b.balance ? -1 : 1;
  return a.trader < b.trader ? -1 : 1;
}

export function holdersBody(
  token: TokenState,
  holders: readonly Holder[],
  { source, slot, partial }: HolderListFacts,
): Buffer {
  const named = nameOf(token);
  const data = holders.map((holder) => holderRow(token, named, holder));
  return jsonBody({ data, source, slot, partial: partial || undefined } satisfies Written<Holders>);
}

/** The same rows of wallets in another order, without the token's name. */
export function tradersBody(token: TokenState, traders: readonly Holder[], partial: boolean): Buffer {
  const data = traders.map((trader) => holderRow(token, {}, trader));
  return jsonBody({ data, partial: partial || undefined } satisfies Written<Traders>);
}

/**
 * Amounts of a wallet that traded in one quote are in that quote's raw units.
 * One that traded in several has no sum and no result that means anything: those
 * fields are left out, and so is everything about a cost or a balance nobody saw.
 */
function holderRow(token: TokenState, named: ReturnType<typeof nameOf>, holder: Holder): Written<HolderRow> {
  const { trader, balance, positions } = holder;
  const single = positions.length === 1 ? positions[0] : undefined;
  const quote = single?.quote_mint ?? '';
  const sum = (read: (row: PositionRow) => bigint) => positions.reduce((total, row) => total + read(row), 0n);
  const result = balance === undefined ? undefined : resultOf(holder);
  const hasTraded = positions.length > 0;
  return {
    trader,
    mint: token.mint,
    ...named,
    token_balance: balance?.toString(),
    sol_invested: single?.quote_invested.toString(),
    sol_received: single?.quote_received.toString(),
    tokens_bought: String(sum((row) => row.tokens_bought)),
    tokens_sold: String(sum((row) => row.tokens_sold)),
    realized_pnl: result?.realizedPnl?.toString(),
    avg_cost: averageCost(token, quote, result),
    current_price: currentPrice(token, quote),
    first_trade_at: hasTraded ? knownTime(Math.min(...positions.map((row) => row.first_time))) : undefined,
    last_trade_at: hasTraded ? knownTime(Math.max(...positions.map((row) => row.last_time))) : undefined,
    trade_count: positions.reduce((total, row) => total + row.buys + row.sells, 0),
    quote_mint: quote || undefined,
    ...(quote === '' ? {} : quoteUnit(quote, quoteDecimalsOf(token, quote))),
    partial: balance === undefined || undefined,
  };
}

/** Mean cost of the tokens whose basis is known, in the position's quote per token. */
function averageCost(token: TokenState, quote: Address | '', result: WalletResult | undefined): string | undefined {
  if (result === undefined || result.basisTokens === 0n) return undefined;
  const quoteDecimals = quoteDecimalsOf(token, quote);
  const tokenDecimals = decimalsOf(token);
  if (quoteDecimals === undefined || tokenDecimals === undefined) return undefined;
  return ratioPrice({ quote: result.basis, token: result.basisTokens, quoteDecimals, tokenDecimals });
}

/** The price the token stands at, in the row's own quote: what it is in another would be held against costs in this one. */
function currentPrice(token: TokenState, quote: Address | ''): string | undefined {
  const swap = pricingSwap(token);
  return swap?.quote_mint === quote ? quotePrice(swap) : undefined;
}
