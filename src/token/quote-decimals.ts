import type { Address } from '../chain/address.ts';
import { UNKNOWN_DECIMALS } from '../store/clickhouse/schema/codes.ts';
import { knownQuoteDecimals } from './row-json.ts';
import { pricingSwap, type TokenState } from './state.ts';

/** Decimals of a quote that the token is traded in: the swap that prices it or the registry knows them. */
export function quoteDecimalsOf(token: TokenState, quote: Address | ''): number | undefined {
  const swap = pricingSwap(token);
  const known = swap?.quote_mint === quote ? swap.quote_decimals : UNKNOWN_DECIMALS;
  return knownQuoteDecimals({ quote_mint: quote, quote_decimals: known });
}
