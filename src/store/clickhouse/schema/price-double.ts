/** Digits that a price in a double has: each ratio of amounts is the double next to its first fifteen digits. */
const DIGITS = 15;
const LEAST = 10n ** BigInt(DIGITS - 1);
const END = 10n * LEAST;
/** Ratios of 64 bits lie between 10^-20 and 10^20. */
const POWERS = Array.from({ length: DIGITS + 21 }, (_, exponent) => 10n ** BigInt(exponent));

/**
 * Raw quote over raw token, rounded half up to 15 significant digits in whole numbers: printed with as many it is exact.
 * A quotient of doubles is off in the fifteenth digit once in forty times. 0 without a price. Stored swaps compute the
 * same (the 37th migration).
 */
export function priceDouble(quote: bigint, token: bigint): number {
  if (quote === 0n || token === 0n) return 0;
  const guess = DIGITS - 1 - Math.floor(Math.log10(Number(quote) / Number(token)));
  const first = (quote * power(guess)) / (token * power(-guess));
  // A logarithm next to a whole number may be on its wrong side.
  const shift = guess - (first >= END ? 1 : 0) + (first < LEAST ? 1 : 0);
  const [above, below] = [quote * power(shift), token * power(-shift)];
  const digits = Number((2n * above + below) / (2n * below));
  return shift >= 0 ? digits / Number(power(shift)) : digits * Number(power(-shift));
}

/** 1 for what is below 0. */
function power(exponent: number): bigint {
  return exponent <= 0 ? 1n : POWERS[exponent]!;
}
