/** Bids by their first three digits, numbered as `kernel/three-digits.ts` does, and the store in `landing-sums.sql`. */

/** More than there are numbers: 2^64 has 20 digits. */
export const BID_NUMBERS = 16_384;

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
