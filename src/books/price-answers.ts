import { ApiError } from '../api/contract/errors.ts';
import type { AnswerDeps } from './answers.ts';

/** The price of SOL as somebody outside keeps it up to date. */
export interface SolPrice {
  /** US dollars per SOL for figures; undefined while it is not known, or too old to value anything. */
  usd(): number | undefined;
  /** The newest quote, however old; undefined until there is one. */
  quote(): { readonly usd: number; readonly ageMs: number } | undefined;
}

/** Nobody is asked for the price. */
export const NO_SOL_PRICE: SolPrice = { usd: () => undefined, quote: () => undefined };

export interface PriceAnswers {
  /**
   * SOL in US dollars.
   *
   * @throws {ApiError} `warming_up` until there is a first quote.
   */
  solPrice(): Buffer;
}

export function createPriceAnswers({ solPrice }: AnswerDeps & { readonly solPrice: SolPrice }): PriceAnswers {
  return {
    solPrice() {
      const quote = solPrice.quote();
      if (quote === undefined) throw new ApiError('warming_up', { message: 'the price of SOL is not known yet' });
      return Buffer.from(`{"usd":${quote.usd},"stale_s":${Math.floor(quote.ageMs / 1000)}}`);
    },
  };
}
