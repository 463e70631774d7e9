import type { Address } from '../../chain/address.ts';
import type { Confidence } from './entry.ts';
import { entriesOf, indexEntries, trustedRows } from './entry.ts';
import equities from './equities.json' with { type: 'json' };
import quotes from './quote-mints.json' with { type: 'json' };

export type QuoteClass = 'native' | 'usd' | 'eur' | 'yield' | 'lst' | 'btc' | 'eth' | 'token';

/** A mint that others are priced in. `native` is SOL wrapped in a token program. */
export interface QuoteMint {
  readonly mint: Address;
  readonly symbol: string;
  readonly name: string;
  /** Undefined where no list says: a swap's own balances do. */
  readonly decimals?: number;
  readonly class: QuoteClass;
  readonly confidence: Confidence;
}

/** A tokenized share. */
export interface Equity {
  readonly mint: Address;
  readonly symbol: string;
  /** Ticker of the share. */
  readonly underlying?: string;
  readonly name?: string;
  readonly issuer: string;
  readonly family: string;
  readonly decimals?: number;
  readonly tokenProgram?: string;
  readonly confidence: Confidence;
}

export const QUOTE_MINTS = trustedRows(entriesOf<QuoteMint>(quotes));
export const EQUITIES = trustedRows(entriesOf<Equity>(equities));

const QUOTES_BY_MINT = indexEntries(QUOTE_MINTS, (quote) => quote.mint);
const EQUITIES_BY_MINT = indexEntries(EQUITIES, (entry) => entry.mint);

/** A known quote currency. SOL is found by its wrapped mint. */
export function quoteMint(mint: Address): QuoteMint | undefined {
  return QUOTES_BY_MINT.get(mint);
}

export function equity(mint: Address): Equity | undefined {
  return EQUITIES_BY_MINT.get(mint);
}
