const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** What a JSON schema can say of an address; whether it is 32 bytes only the decoded value tells. */
export const ADDRESS_PATTERN = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';

const ADDRESS_BYTES = 32;
const LIMBS = 8;
const LIMB = 2 ** 32;

const DIGITS = new Int8Array(128).fill(-1);
for (let digit = 0; digit < ALPHABET.length; digit += 1) DIGITS[ALPHABET.charCodeAt(digit)] = digit;

/** Whether the text is the one canonical base58 form of 32 bytes. */
export function isAddress(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false;
  // The value as eight 32-bit limbs, least significant first; doubles hold every intermediate product exactly.
  const limbs = new Float64Array(LIMBS);
  let leadingOnes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    let carry = code < 128 ? (DIGITS[code] ?? -1) : -1;
    if (carry < 0) return false;
    if (carry === 0 && leadingOnes === i) leadingOnes += 1;
    for (let limb = 0; limb < LIMBS; limb += 1) {
      const value = (limbs[limb] ?? 0) * 58 + carry;
      limbs[limb] = value % LIMB;
      carry = Math.floor(value / LIMB);
    }
    if (carry > 0) return false;
  }
  // Each leading 1 stands for a zero byte; the value must fill exactly what is left.
  return leadingOnes + significantBytes(limbs) === ADDRESS_BYTES;
}

function significantBytes(limbs: Float64Array): number {
  for (let limb = LIMBS - 1; limb >= 0; limb -= 1) {
    const value = limbs[limb] ?? 0;
    if (value > 0) return limb * 4 + (value >= 2 ** 24 ? 4 : value >= 2 ** 16 ? 3 : value >= 2 ** 8 ? 2 : 1);
  }
  return 0;
}
