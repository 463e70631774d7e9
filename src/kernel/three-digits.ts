/**
 * Amounts to three significant digits, rounded down, as numbers of 16 bits that are ordered as the amounts are: amounts of
 * up to three digits are exact, any other is less than one percent too low. What counts amounts by these numbers can be
 * added up in any order. The engine does the same in SQL: `store/clickhouse/derived/router_minutes.sql`, and
 * `routers-window.sql` and `landing-sums.sql` of `features/fee-market/`.
 */

const STEPS = 900;

/** Where one more digit is left out; what is larger than a number holds is left to bigints. */
const POWERS = Array.from({ length: 14 }, (_, digits) => 10 ** digits);

/** The number of an amount below 2^64. */
export function threeDigitCode(amount: bigint): number {
  if (amount > Number.MAX_SAFE_INTEGER) return largeCode(amount);
  const value = Number(amount);
  let digits = 0;
  while (value >= POWERS[digits]! * 1_000) digits += 1;
  const power = POWERS[digits]!;
  return digits * STEPS + (value - (value % power)) / power;
}

function largeCode(amount: bigint): number {
  const digits = amount.toString().length - 3;
  return digits * STEPS + Number(amount / 10n ** BigInt(digits));
}

/** The least amount that has this number. */
export function threeDigitAmount(code: number): bigint {
  const digits = Math.max(0, Math.floor((code - 100) / STEPS));
  return BigInt(code - digits * STEPS) * 10n ** BigInt(digits);
}
