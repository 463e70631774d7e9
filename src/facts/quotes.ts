import { type Address, WSOL_MINT, ZERO_ADDRESS } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';
import { quoteMint } from '../programs/registry/index.ts';

const SOL_DECIMALS = 9;

/** The quote as facts tell it: undefined for SOL, which the programs write as nothing, the zero key or wSOL. */
export function quoteOf(mint: Address | undefined): Address | undefined {
  return mint === ZERO_ADDRESS || mint === WSOL_MINT ? undefined : mint;
}

/** Decimals of a quote: SOL's, the registry's, or those that the transaction's balances tell. */
export function quoteDecimalsOf(transaction: Transaction, quote: Address | undefined): number | undefined {
  if (quote === undefined) return SOL_DECIMALS;
  return quoteMint(quote)?.decimals ?? mintDecimals(transaction, quote);
}

/** Decimals of a mint as the transaction's token balances tell them. */
export function mintDecimals(transaction: Transaction, mint: Address): number | undefined {
  for (const balance of transaction.tokenBalances) if (balance.mint === mint) return balance.decimals;
  return undefined;
}

/** SOL, stablecoins and their like: money rather than tokens under research, however often they move. */
export function isCurrency(mint: Address): boolean {
  const listed = quoteMint(mint);
  return listed !== undefined && listed.class !== 'token';
}

/** A coin that stands for a US dollar. */
export function isStablecoin(mint: Address): boolean {
  return quoteMint(mint)?.class === 'usd';
}

/** A single indivisible unit: a collectible or a receipt, not a token with holders. */
export function isOneOfAKind(decimals: number, amount: bigint): boolean {
  return decimals === 0 && amount === 1n;
}
