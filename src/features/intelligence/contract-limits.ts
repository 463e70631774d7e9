/** Bounds of what is told of insiders. */

/** Other launches of a dev are counted no further than this. */
export const DEV_LAUNCHES_MAX = 100;
export const MAX_WALLETS = 100;
export const MAX_EVENTS = 50;
/** Swaps from the creation on whose bundles are counted: those of a /launch that is not told how many. */
export const COUNTED_LAUNCH_SWAPS = 150;
