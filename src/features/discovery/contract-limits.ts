/** Bounds of the routes, which contract and answers share. */

/** Mints, and wallets, of one cross-check, and pairs of them. */
export const MAX_SIDE = 100;
export const MAX_PAIRS = 2_500;

export const MAX_NAMES = 200;
export const MAX_TWEETS = 200;

/** Windows of tips: five minutes and an hour begin at a second of block time, the others at a minute. */
export const TIP_WINDOWS = {
  '5m': { seconds: 300, toTheSecond: true },
  '30m': { seconds: 1_800, toTheSecond: false },
  '1h': { seconds: 3_600, toTheSecond: true },
  '4h': { seconds: 14_400, toTheSecond: false },
  '24h': { seconds: 86_400, toTheSecond: false },
} as const;
export type TipWindowName = keyof typeof TIP_WINDOWS;

export const EVENT_KINDS = ['trade', 'graduation'] as const;

export const MAX_EVENTS = 200;
/** Lamports of the trades that are listed: at least so many, and when nothing is said. */
export const EVENT_MIN_SOL = { least: 100_000_000n, fallback: 3_000_000_000n } as const;
