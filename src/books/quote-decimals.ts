import type { Address } from '../chain/address.ts';
import { knownQuoteDecimals, UNKNOWN_DECIMALS } from './row-json.ts';
import type { TokenState } from './token-state.ts';

/** Decimals of a quote that the token is traded in: its newest priced swap or the registry knows them. */
export function quoteDecimalsOf({ lastPriced }: TokenState, quote: Address | ''): number | undefined {
  const known = lastPriced?.quote_mint === quote ? lastPriced.quote_decimals : UNKNOWN_DECIMALS;
  return knownQuoteDecimals({ quote_mint: quote, quote_decimals: known });
}
