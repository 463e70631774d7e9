import type { HoldingRow, PositionRow } from '../store/clickhouse/schema/tables.ts';

/** What is folded of a wallet in a token. */
export interface WalletRows {
  /** One for each quote that it traded in. */
  readonly positions: readonly PositionRow[];
  /** Of a wallet that moved tokens outside of trades. */
  readonly holding: HoldingRow | undefined;
}

/** Profit and cost by the order of everything; both undefined where they are not known. */
export interface WalletResult {
  readonly realizedPnl: bigint | undefined;
  /** Cost of the tokens held whose cost is known, and how many these are. */
  readonly basis: bigint;
  readonly basisTokens: bigint;
}

/**
 * Raw units that a wallet holds by trades and unexplained deltas, sends left out. Undefined once more had left than
 * was seen to arrive. One position tells that of all of its history: the tokens of known cost are then all that it holds.
 */
export function estimateOf({ positions, holding }: WalletRows): bigint | undefined {
  if (holding !== undefined) return holding.estimate_known ? holding.estimate : undefined;
  const [single] = positions;
  const traded = positions.reduce((sum, row) => sum + row.token_balance, 0n);
  if (single !== undefined && positions.length === 1) return traded === single.basis_tokens ? traded : undefined;
  return traded < 0n ? undefined : traded;
}

/** The result of a wallet that traded in one quote at most; undefined of one that traded in several. */
export function resultOf({ positions, holding }: WalletRows): WalletResult | undefined {
  if (positions.length > 1) return undefined;
  const row = holding ?? positions[0];
  if (row === undefined) return undefined;
  const { basis, basis_tokens: basisTokens } = row;
  return { realizedPnl: row.pnl_known ? row.realized_pnl : undefined, basis, basisTokens };
}
