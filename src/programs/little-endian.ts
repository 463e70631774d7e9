/** The 32 bits at `offset`, unsigned. */
export function readWord(bytes: Uint8Array, offset: number): number {
  return (bytes[offset]! | (bytes[offset + 1]! << 8) | (bytes[offset + 2]! << 16) | (bytes[offset + 3]! << 24)) >>> 0;
}

/** The 64 bits at `offset`, unsigned. */
export function readU64(bytes: Uint8Array, offset: number): bigint {
  const high = readWord(bytes, offset + 4);
  const low = readWord(bytes, offset);
  // Most amounts are below 2^53, where plain numbers are exact and one bigint is enough.
  return high < 0x20_0000 ? BigInt(high * 0x1_0000_0000 + low) : (BigInt(high) << 32n) | BigInt(low);
}
