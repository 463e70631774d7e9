/** Digits after the point that a price string may have. */
const FRACTION_DIGITS = 18;
/** Digits that a double carries for sure: more would print rounding noise. */
const SIGNIFICANT_DIGITS = 15;

const POWERS_OF_TEN: readonly bigint[] = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));

/** A ratio of raw amounts, with the decimals that make whole units of them. */
export interface PriceRatio {
  /** Raw quote units. */
  readonly quote: bigint;
  /** Raw token units. */
  readonly token: bigint;
  readonly quoteDecimals: number;
  readonly tokenDecimals: number;
}

/**
 * Whole quote units per whole token as a plain decimal: no exponent, at most
 * 18 digits after the point (rounded half up), no trailing zeros. Exact up to
 * there, because it never leaves integers. "0" for a ratio without tokens.
 */
export function ratioPrice({ quote, token, quoteDecimals, tokenDecimals }: PriceRatio): string {
  if (token === 0n || quote === 0n) return '0';
  const exponent = FRACTION_DIGITS + tokenDecimals - quoteDecimals;
  const numerator = exponent < 0 ? quote : quote * powerOfTen(exponent);
  const denominator = exponent < 0 ? token * powerOfTen(-exponent) : token;
  return scaledPrice((2n * numerator + denominator) / (2n * denominator));
}

/** The same form out of a double, of which 15 significant digits are printed. */
export function floatPrice(value: number): string {
  if (!Number.isFinite(value) || value <= 0) return '0';
  const [mantissa = '0', exponentText = '0'] = value.toExponential(SIGNIFICANT_DIGITS - 1).split('e');
  const digits = BigInt(mantissa.replace('.', ''));
  const exponent = Number(exponentText) - (SIGNIFICANT_DIGITS - 1) + FRACTION_DIGITS;
  if (exponent >= 0) return scaledPrice(digits * powerOfTen(exponent));
  const divisor = powerOfTen(-exponent);
  return scaledPrice((2n * digits + divisor) / (2n * divisor));
}

/** Money as a plain decimal: to the cent, rounded half up, no trailing zeros. */
export function moneyRatio(numerator: bigint, denominator: bigint): string {
  const cents = (200n * numerator + denominator) / (2n * denominator);
  return scaledPrice(cents * powerOfTen(FRACTION_DIGITS - 2));
}

/** 10^(tokenDecimals − quoteDecimals): turns raw quote per raw token into whole per whole. */
export function wholeUnitFactor(tokenDecimals: number, quoteDecimals: number): number {
  return 10 ** (tokenDecimals - quoteDecimals);
}

function scaledPrice(scaled: bigint): string {
  const digits = scaled.toString().padStart(FRACTION_DIGITS + 1, '0');
  const point = digits.length - FRACTION_DIGITS;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}
