/** `Math.min` and its kin for bigints. */
export function smaller(a: bigint, b: bigint): bigint {
  if (b < a) return b;
  return a;
}

export function larger(a: bigint, b: bigint): bigint {
  if (b > a) return b;
  return a;
}

export function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export const MAX_U64 = 2n ** 64n - 1n;
const MAX_I64 = 2n ** 63n - 1n;
const MIN_I64 = -(2n ** 63n);

/** The value, or the largest u64 where it is beyond that. */
export function withinU64(value: bigint): bigint {
  return value > MAX_U64 ? MAX_U64 : value;
}

/** The value, or the i64 that is nearest to it. */
export function withinI64(value: bigint): bigint {
  if (value > MAX_I64) return MAX_I64;
  return value < MIN_I64 ? MIN_I64 : value;
}
