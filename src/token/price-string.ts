/** Digits after the point that a price string may have. */
const FRACTION_DIGITS = 18;
/** Digits that a double carries for sure: more would print rounding noise. */
const SIGNIFICANT_DIGITS = 15;
/** Digits that tell a double apart from its neighbours, and a few more. */
const ALL_DIGITS = 21;
/** Digits that most prices are judged by. */
const SHOWN_DIGITS = 17;
/** Units of the last of them within which the error of a quotient, or a digit behind the eighteenth, may decide. */
const NEAR = 50;
/** Two integers were rounded to doubles, and then their quotient: half a bit of 53 each time. */
const QUOTIENT_ERROR = 3.5 * 2 ** -53;

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

/**
 * A printed price of which 15 significant digits are left, rounded half up: what doubles carry, so that a client that
 * reads numbers sees what a client that reads digits does.
 */
export function roundPrice(price: string): string {
  const [whole = '', fraction = ''] = price.split('.');
  const raw = BigInt(whole + fraction);
  const excess = raw.toString().length - SIGNIFICANT_DIGITS;
  if (excess <= 0) return price;
  const unit = powerOfTen(excess);
  const rounded = ((2n * raw + unit) / (2n * unit)) * unit;
  return scaledPrice(rounded * powerOfTen(FRACTION_DIGITS - fraction.length));
}

/** The rounded price that a quotient as a double stands for, moved by `shift` decimal places. */
export function floatPrice(value: number, shift: number): string {
  if (!Number.isFinite(value) || value <= 0) return '0';
  const [mantissa = '0', exponentText = '0'] = value.toExponential(ALL_DIGITS - 1).split('e');
  const exponent = Number(exponentText) - (ALL_DIGITS - 1) + shift;
  const [quoteDecimals, tokenDecimals] = exponent < 0 ? [-exponent, 0] : [0, exponent];
  return roundPrice(ratioPrice({ quote: BigInt(mantissa.replace('.', '')), token: 1n, quoteDecimals, tokenDecimals }));
}

/** The same of every quotient of integers that the double may stand for; undefined where these differ in a digit. */
export function settledPrice(value: number, shift: number): string | undefined {
  return plainlySettled(value, shift) ?? closelySettled(value, shift);
}

/** Most prices are far from where a digit changes, which their first 17 digits show: a candle has four, and a page hundreds. */
function plainlySettled(value: number, shift: number): string | undefined {
  const text = value.toExponential(SHOWN_DIGITS - 1);
  const end = text.indexOf('e');
  const exponent = Number(text.slice(end + 1)) + shift;
  const count = Math.min(SIGNIFICANT_DIGITS, FRACTION_DIGITS + 1 + exponent);
  if (!(value > 0) || !Number.isFinite(value) || !(count >= 1)) return undefined;
  const digits = text[0] + text.slice(2, end);
  const half = 5 * 10 ** (SHOWN_DIGITS - 1 - count);
  const beyond = Number(digits.slice(count)) - half;
  if (Math.abs(beyond) <= NEAR) return undefined;
  return plainDecimal(String(Number(digits.slice(0, count)) + (beyond > 0 ? 1 : 0)), exponent - count + 1);
}

/** Digits as a decimal, of which the last one stands for ten to the power of `exponent`. */
function plainDecimal(digits: string, exponent: number): string {
  if (exponent >= 0) return digits + '0'.repeat(exponent);
  return withoutZeros(digits.padStart(1 - exponent, '0'), -exponent);
}

function closelySettled(value: number, shift: number): string | undefined {
  const slack = value * QUOTIENT_ERROR;
  const low = floatPrice(value - slack, shift);
  return low === floatPrice(value + slack, shift) ? low : undefined;
}

/** Money as a plain decimal: to the cent, rounded half up, no trailing zeros. */
export function moneyRatio(numerator: bigint, denominator: bigint): string {
  const cents = (200n * numerator + denominator) / (2n * denominator);
  return scaledPrice(cents * powerOfTen(FRACTION_DIGITS - 2));
}

function scaledPrice(scaled: bigint): string {
  return withoutZeros(scaled.toString().padStart(FRACTION_DIGITS + 1, '0'), FRACTION_DIGITS);
}

/** Digits with a point before the last `places` of them, and no zeros at their end. */
function withoutZeros(digits: string, places: number): string {
  const point = digits.length - places;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}
