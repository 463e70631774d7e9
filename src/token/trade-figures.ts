import type { Address } from '../chain/address.ts';

export const FIVE_MINUTES_S = 300;
export const HOUR_S = 3_600;

/** What lists say of a token's trades up to the time of the chain, both ends of each window included. */
export interface TradeFigures {
  /** Time of the chain, Unix seconds. */
  readonly now: number;
  /** Swaps of the last hour in any quote. */
  readonly trades: number;
  readonly quotes: readonly QuoteFigures[];
  /** True with the prices of steps. */
  readonly isStepped?: boolean;
}

export interface QuoteFigures {
  readonly quote_mint: Address | '';
  /** Of the last hour, raw quote units. */
  readonly volume: bigint;
  /** The last prices before five minutes and an hour ago, raw quote over raw token; 0 where none is known. */
  readonly beforeFive: number;
  readonly beforeHour: number;
  /** Where they are asked for: the last price in each step of the hour, oldest first, raw quote over raw token; 0 where there is none. */
  readonly steps?: readonly number[];
}

/** What was traded in a quote in the last hour, raw quote units. */
export function volumeIn({ quotes }: TradeFigures, quote: Address | ''): bigint {
  return quotes.find(({ quote_mint }) => quote_mint === quote)?.volume ?? 0n;
}
