/** Bounds of histories of the price of SOL, which contract, rules and answers share. */

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Seconds of a step, and how many steps there are where nothing says from when on. */
export const SOL_HISTORY_STEPS = {
  '1m': { seconds: MINUTE_S, points: 240 },
  '1h': { seconds: HOUR_S, points: 168 },
  '1d': { seconds: DAY_S, points: 90 },
} as const;
export type SolHistoryStep = keyof typeof SOL_HISTORY_STEPS;

export const MAX_SOL_HISTORY_POINTS = 1_500;
