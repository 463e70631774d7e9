/**
 * Bids by their first three digits, numbered: below 1,000 they number themselves, and the 900 of each further power of ten
 * follow. Whole numbers up to 2^64, as the store numbers them (`landing-sums.sql`).
 */

const ONES = 1_000;
const OF_A_POWER = 900;
const LEAST_THREE_DIGITS = 100;

/** More than there are numbers: 2^64 has 20 digits. */
export const BID_NUMBERS = 16_384;

/** The least bid with a number. */
export function leastBid(number: number): bigint {
  if (number < ONES) return BigInt(number);
  const power = Math.floor((number - ONES) / OF_A_POWER) + 1;
  const digits = ((number - ONES) % OF_A_POWER) + LEAST_THREE_DIGITS;
  return BigInt(digits) * 10n ** BigInt(power);
}

/** The number of the bid that so large a share of all is no higher than; undefined without bids. */
export function numberAt(counts: Counts, share: number): number | undefined {
  let all = 0;
  for (let number = 0; number < counts.length; number += 1) all += counts[number]!;
  if (all === 0) return undefined;
  const rank = Math.ceil(share * all);
  let seen = 0;
  for (let number = 0; number < counts.length; number += 1) {
    seen += counts[number]!;
    if (seen >= rank) return number;
  }
  return undefined;
}

/** How many bids there are of each number. */
export type Counts = Pick<Uint32Array, 'length'> & { readonly [number: number]: number };
