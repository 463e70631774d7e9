import { isBalanceKnown } from '../facts/known-balance.ts';
import type { HoldingRow, PositionRow } from '../store/clickhouse/schema/tables.ts';

/** What is folded of a wallet in a token. */
export interface WalletRows {
  /** One for each quote that it traded in. */
  readonly positions: readonly PositionRow[];
  /** Of a wallet that moved tokens outside of trades. */
  readonly holding: HoldingRow | undefined;
}

/** Profit and cost by the order of everything. */
export interface WalletResult {
  /** Raw quote units; undefined while not known. */
  readonly realizedPnl: bigint | undefined;
  /** Cost of the tokens held whose cost is known, and how many these are. */
  readonly basis: bigint;
  readonly basisTokens: bigint;
}

/**
 * Raw units that a wallet holds by trades, unexplained deltas and hidden moves, sends left out. Undefined once more had
 * left than was seen to arrive, and where movements that made it are lost.
 */
export function estimateOf({ positions, holding }: WalletRows): bigint | undefined {
  if (holding !== undefined) return holding.estimate_known ? holding.estimate : undefined;
  const traded = positions.map((row) => ({ tokenBalance: row.token_balance, basisTokens: row.basis_tokens }));
  return isBalanceKnown(traded) ? traded.reduce((sum, { tokenBalance }) => sum + tokenBalance, 0n) : undefined;
}

/** The result of a wallet that traded in one quote at most; undefined of one that traded in several or was cut. */
export function resultOf({ positions, holding }: WalletRows): WalletResult | undefined {
  if (positions.length > 1 || holding?.whole === false) return undefined;
  const row = holding ?? positions[0];
  if (row === undefined) return undefined;
  const { basis, basis_tokens: basisTokens } = row;
  return { realizedPnl: row.pnl_known ? row.realized_pnl : undefined, basis, basisTokens };
}
