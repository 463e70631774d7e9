/** Bounds of landing conditions, which contract, rules and answers share. */

interface LandingWindow {
  readonly seconds: number;
  /** It begins at a second of block time and its bids are exact; else it goes by minutes. */
  readonly isExact: boolean;
}

export const LANDING_WINDOWS = {
  '5m': { seconds: 300, isExact: true },
  '1h': { seconds: 3_600, isExact: false },
  '24h': { seconds: 86_400, isExact: false },
} as const satisfies Readonly<Record<string, LandingWindow>>;
export type LandingWindowName = keyof typeof LANDING_WINDOWS;

/** Curve, AMM, tokenized equities. */
export const LANDING_VENUES = [0, 1, 2] as const;
export type LandingVenue = (typeof LANDING_VENUES)[number];

/** Slots of a token that are told one by one: the creation's own, 0, and those behind it. */
export const SLOTS_BEHIND = 30;

/** Shares of bids that are no higher than what is told. */
export const BID_SHARES = { p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9, p99: 0.99 } as const;

/** Digits that are left of bids of windows that go by minutes: what is told is less than a hundredth below the bid. */
export const BID_DIGITS = 3;

/** Reasons of reverted attempts, the commonest ones. */
export const MAX_REASONS = 20;
