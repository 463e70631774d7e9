import type { StrictResult, WalletFlow } from './rule-rows.ts';

/** A result that was one, of which nothing is known any more. */
export function unknownResult<R extends StrictResult>(row: R): R {
  return { ...row, pnl_known: false, basis: 0n, basis_tokens: 0n };
}

/**
 * Results while a store from before its holdings folds them: nothing is known of wallets that moved tokens outside of
 * trades, whether their fold has begun, from the middle of their life, or not.
 */
export function unfoldedResults(
  flows: readonly WalletFlow[],
  folded: readonly StrictResult[],
): readonly StrictResult[] {
  const begun = new Set(folded.map(({ wallet }) => wallet));
  const notBegun = flows.filter(({ wallet }) => !begun.has(wallet));
  return [
    ...folded.map(unknownResult),
    ...notBegun.map(({ wallet }): StrictResult => {
      const nothing = { quote_mint: '', quotes: 0, basis: 0n, basis_tokens: 0n, realized_pnl: 0n } as const;
      return { wallet, slot: 0, ...nothing, pnl_known: false };
    }),
  ];
}
