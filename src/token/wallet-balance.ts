import type { PositionRow } from '../store/clickhouse/schema/tables.ts';

/**
 * True when a wallet's trades tell what it holds: never more was sold than was seen bought. One position tells that
 * of all of its history, as the tokens of known cost are then all that it holds; several only of its end.
 */
export function isBalanceKnown(positions: readonly Pick<PositionRow, 'token_balance' | 'basis_tokens'>[]): boolean {
  const [single] = positions;
  if (single !== undefined && positions.length === 1) return single.token_balance === single.basis_tokens;
  return positions.reduce((sum, row) => sum + row.token_balance, 0n) >= 0n;
}
