/** Bounds and thresholds of the ecosystem report, which contract, rules and answers share. */

const HOUR_S = 3_600;
const DAY_S = 86_400;

interface ReportWindow {
  readonly seconds: number;
  /** It begins at a second of block time, else at the minute of that. */
  readonly toTheSecond: boolean;
  /** Launches are looked at that are no older, in seconds. */
  readonly launches: number;
}

export const ECOSYSTEM_WINDOWS = {
  '1h': { seconds: HOUR_S, toTheSecond: true, launches: HOUR_S },
  '24h': { seconds: DAY_S, toTheSecond: false, launches: 6 * HOUR_S },
  '7d': { seconds: 7 * DAY_S, toTheSecond: false, launches: 6 * HOUR_S },
} as const satisfies Readonly<Record<string, ReportWindow>>;
export type EcosystemWindow = keyof typeof ECOSYSTEM_WINDOWS;

/** Rows of each list. */
export const MAX_REPORT_ROWS = 15;

/** Changes whenever one of the rules below does, or what they are applied to. */
export const RULE_VERSION = 1;

/** Launch bundles that a wallet bought in, at least, to be a bundler. */
export const BUNDLER_TOKENS = 2;

/** A creator dumped who took at least so many lamports by sales in the window, and has sold so much of what they bought. */
export const DEV_DUMP_LAMPORTS = 1_000_000_000n;
export const DEV_DUMP_SOLD_PCT = 50;

/** A token crashed that was traded for so many lamports in the window, and stands so far below its highest price in it. */
export const CRASH_LAMPORTS = {
  '1h': 10_000_000_000n,
  '24h': 50_000_000_000n,
  '7d': 100_000_000_000n,
} as const satisfies Readonly<Record<EcosystemWindow, bigint>>;
export const CRASH_DROP_PCT = 80;

/** A wallet is tipped again and again that is tipped in each of so many equal parts of the window. */
export const RECURRING_PARTS = 4;

export const HISTORY_METRICS = [
  'new_tokens',
  'graduated',
  'volume',
  'trades',
  'tips_total',
  'tip_swaps_1h',
  'active_traders_1h',
  'buys_1h',
  'sells_1h',
  'fees_1h',
  'creator_fees_1h',
  'priority_fees_1h',
] as const;
export type HistoryMetric = (typeof HISTORY_METRICS)[number];

/** Seconds of a step, and how many steps there are where nothing says from when on. */
export const HISTORY_STEPS = {
  '1h': { seconds: HOUR_S, points: 168 },
  '1d': { seconds: DAY_S, points: 30 },
} as const;
export type HistoryStep = keyof typeof HISTORY_STEPS;

export const MAX_HISTORY_POINTS = 1_000;
