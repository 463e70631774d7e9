/** The place of a trade. */
export type Venue = typeof BONDING_CURVE | typeof AMM | typeof EQUITY;

export const BONDING_CURVE = 0;
/** A pool of PumpSwap. */
export const AMM = 1;
/** A tokenized equity's own program. */
export const EQUITY = 2;

/** By the code in a row. */
export function venueByCode(code: number): Venue {
  if (code === AMM || code === EQUITY) return code;
  return BONDING_CURVE;
}
