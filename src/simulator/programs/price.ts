import type { SwapEffect } from '../truth.ts';

/** Under this many smallest units on either side, rounding would dominate the price of a trade. */
const SMALLEST_PRICED = 10_000n;

/** Exact price of a trade without fees; for dust, what the reserves say after it. */
export function executionPrice(
  quoteAmount: bigint,
  tokenAmount: bigint,
  reserves: { readonly quote: bigint; readonly token: bigint },
): Pick<SwapEffect, 'priceQuote' | 'priceToken'> {
  const isDust = quoteAmount < SMALLEST_PRICED || tokenAmount < SMALLEST_PRICED;
  return isDust
    ? { priceQuote: reserves.quote, priceToken: reserves.token }
    : { priceQuote: quoteAmount, priceToken: tokenAmount };
}
