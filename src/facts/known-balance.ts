/** What trades in one quote left with a wallet, raw units. */
export interface TradedTokens {
  readonly tokenBalance: bigint;
  /** Of these the tokens whose cost is known. */
  readonly basisTokens: bigint;
}

/**
 * True when a wallet's trades tell what it holds: never more was sold than was seen bought. One position tells it
 * of all of its history, as the tokens whose cost is known are then all that it holds; several only of its end.
 */
export function isBalanceKnown(positions: readonly TradedTokens[]): boolean {
  const [single] = positions;
  if (single !== undefined && positions.length === 1) return single.tokenBalance === single.basisTokens;
  return positions.reduce((sum, { tokenBalance }) => sum + tokenBalance, 0n) >= 0n;
}
