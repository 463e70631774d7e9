import type { StrictResult, TradePosition } from './rule-rows.ts';

/** Profit and loss of a wallet by average cost; what no cost is known of stays unknown. */

export type PnlStatus = 'profit' | 'loss' | 'flat' | 'unknown';

/** A result within so many percent of what was invested is flat. */
export const FLAT_PCT = 1n;

/** Price of the token, lamports over raw token. */
export interface TokenPrice {
  readonly quote: bigint;
  readonly token: bigint;
}

export interface WalletPnl {
  readonly status: PnlStatus;
  /** Lamports, net of fees. Undefined while a basis is missing. */
  readonly realized: bigint | undefined;
  /** Of the tokens still held, at the price given. */
  readonly unrealized: bigint | undefined;
}

export const UNKNOWN_PNL: WalletPnl = { status: 'unknown', realized: undefined, unrealized: undefined };

/**
 * The result of a wallet that holds `balance` now. Tokens that were sent away or
 * burnt take their share of the cost with them: they are neither won nor lost.
 * `strict` tells cost and result by the order of everything, of a wallet that moved
 * tokens outside of trades; without it trades alone tell them.
 */
export function pnlOf(
  positions: readonly TradePosition[],
  balance: bigint,
  price: TokenPrice | undefined,
  strict?: StrictResult,
): WalletPnl {
  const [position] = positions;
  // Results in several quotes have no sum, and those in another than the price's are no lamports.
  if (position === undefined || positions.length > 1 || position.quote_mint !== '') return UNKNOWN_PNL;
  if (strict !== undefined && (strict.quotes > 1 || strict.quote_mint !== '')) return UNKNOWN_PNL;
  const told = strict ?? position;
  const realized = told.pnl_known ? told.realized_pnl : undefined;
  const unrealized = unrealizedOf(told, balance, price);
  if (realized === undefined || unrealized === undefined) return { status: 'unknown', realized, unrealized };
  return { status: statusOf(realized + unrealized, position.quote_invested), realized, unrealized };
}

function unrealizedOf(
  { basis, basis_tokens }: Pick<TradePosition, 'basis' | 'basis_tokens'>,
  balance: bigint,
  price: TokenPrice | undefined,
): bigint | undefined {
  if (balance <= 0n) return balance === 0n ? 0n : undefined;
  // Tokens that came without a price have no cost.
  if (balance > basis_tokens || price === undefined || price.token === 0n) return undefined;
  return (balance * price.quote) / price.token - (basis * balance) / basis_tokens;
}

function statusOf(result: bigint, invested: bigint): PnlStatus {
  const size = result < 0n ? -result : result;
  if (size * 100n <= invested * FLAT_PCT) return 'flat';
  return result > 0n ? 'profit' : 'loss';
}
