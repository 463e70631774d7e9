/** Bounds of the routes, which contract and answers share. */

/** Mints, and wallets, of one cross-check, and pairs of them. */
export const MAX_SIDE = 100;
export const MAX_PAIRS = 2_500;

export const MAX_NAMES = 200;
export const MAX_TWEETS = 200;

export const EVENT_KINDS = ['trade', 'graduation'] as const;

export const MAX_EVENTS = 200;
/** Lamports of the trades that are listed: at least so many, and when nothing is said. */
export const EVENT_MIN_SOL = { least: 100_000_000n, fallback: 3_000_000_000n } as const;
