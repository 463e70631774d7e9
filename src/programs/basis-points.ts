/** Basis points in a whole. */
export const BASIS_POINTS = 10_000n;

/** Quotient of two non-negative integers, rounded up. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

/** A fee on an amount, rounded up as both programs round every fee. */
export function feeOf(amount: bigint, basisPoints: bigint): bigint {
  return ceilDiv(amount * basisPoints, BASIS_POINTS);
}

/**
 * The amount left to trade with when fees come out of `spendable`: rounding the fees up may cost more than the plain
 * division leaves, and the excess comes off the amount.
 */
export function netOfFees(spendable: bigint, rates: readonly bigint[]): bigint {
  const total = rates.reduce((sum, rate) => sum + rate, 0n);
  const net = (spendable * BASIS_POINTS) / (BASIS_POINTS + total);
  const excess = rates.reduce((sum, rate) => sum + feeOf(net, rate), net) - spendable;
  return excess > 0n ? net - excess : net;
}
