const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Pattern of an address in a JSON schema; only the decoded value tells whether an address is 32 bytes. */
export const ADDRESS_PATTERN = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';

const ADDRESS_BYTES = 32;
const LIMBS = 8;
const LIMB = 2 ** 32;
/** A limb times 58³ still fits the 53 bits of a double, so three digits go in at once. */
const CHUNK_DIGITS = 3;

const DIGITS = new Int8Array(128).fill(-1);
for (let digit = 0; digit < ALPHABET.length; digit += 1) DIGITS[ALPHABET.charCodeAt(digit)] = digit;

/** The value being read as 32-bit limbs, least significant first. Shared, because nothing runs in between. */
const limbs = new Float64Array(LIMBS);

/** True when the text is the one canonical base58 form of 32 bytes. */
export function isAddress(text: string): boolean {
  const { length } = text;
  if (length < 32 || length > 44) return false;
  limbs.fill(0);
  let leadingOnes = 0;
  let used = 0;
  for (let i = 0; i < length; ) {
    let chunk = 0;
    let scale = 1;
    for (const end = Math.min(i + CHUNK_DIGITS, length); i < end; i += 1) {
      const code = text.charCodeAt(i);
      const digit = code < 128 ? (DIGITS[code] ?? -1) : -1;
      if (digit < 0) return false;
      if (digit === 0 && leadingOnes === i) leadingOnes += 1;
      chunk = chunk * 58 + digit;
      scale *= 58;
    }
    for (let limb = 0; limb < used; limb += 1) {
      const value = (limbs[limb] ?? 0) * scale + chunk;
      chunk = Math.floor(value / LIMB);
      limbs[limb] = value - chunk * LIMB;
    }
    if (chunk > 0) {
      if (used === LIMBS) return false;
      limbs[used] = chunk;
      used += 1;
    }
  }
  // Each leading 1 stands for a zero byte; the value must fill exactly what is left.
  return leadingOnes + bytesOf(used) === ADDRESS_BYTES;
}

/** Bytes that the value takes: whole limbs, and what the highest one needs. */
function bytesOf(used: number): number {
  if (used === 0) return 0;
  return used * 4 - (Math.clz32(limbs[used - 1] ?? 0) >> 3);
}
