/** An exact price: raw quote units over raw token units. `token` is 0 only when nothing is known. */
export interface PriceRatio {
  readonly quote: bigint;
  readonly token: bigint;
}

/** Below this many smallest units on either side, the rounding of the venue's integer maths would dominate. */
export const MIN_PRICED_UNITS = 10_000n;

/**
 * The execution price without fees. For trades too small to show a price, the
 * venue's reserves after the trade stand in (virtual ones, where there are any).
 */
export function priceRatio(
  quoteAmount: bigint,
  tokenAmount: bigint,
  quoteReserves: bigint | undefined,
  tokenReserves: bigint | undefined,
): PriceRatio {
  const tooSmall = quoteAmount < MIN_PRICED_UNITS || tokenAmount < MIN_PRICED_UNITS;
  if (
    tooSmall &&
    quoteReserves !== undefined &&
    tokenReserves !== undefined &&
    quoteReserves > 0n &&
    tokenReserves > 0n
  ) {
    return { quote: quoteReserves, token: tokenReserves };
  }
  return { quote: quoteAmount, token: tokenAmount };
}
