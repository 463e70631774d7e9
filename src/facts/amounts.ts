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
