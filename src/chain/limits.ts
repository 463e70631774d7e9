/** Keys of a transaction: instructions point at them with one byte. */
export const MAX_KEYS = 256;

/** Decimals of a mint, which has one byte for them. */
export const MAX_DECIMALS = 255;
