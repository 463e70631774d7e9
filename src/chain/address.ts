/**
 * A Solana address: canonical base58 of exactly 32 bytes. Equal addresses are
 * equal strings, so they can be map keys.
 */
export type Address = string & { readonly __brand: 'Address' };

/** The zero key, base58 of 32 zero bytes. Also the System program's id. */
export const ZERO_ADDRESS = '11111111111111111111111111111111' as Address;

/** Wrapped SOL, the quote mint that stands for SOL. */
export const WSOL_MINT = 'So11111111111111111111111111111111111111112' as Address;
