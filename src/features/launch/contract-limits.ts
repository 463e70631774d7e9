/** Bounds of what is asked about a launch. */

/** Swaps from the creation on that bundles are looked for among: those of a /launch that is not told how many, and at most. */
export const LAUNCH_SWAPS = 150;
export const MAX_LAUNCH_SWAPS = 500;
/** Slots from the creation's on that a race may look at, and those of one that is not told how many. */
export const MAX_RACE_SLOTS = 150;
export const RACE_SLOTS = 30;
/** Attempts that a race shows. */
export const BOARD_SIZE = 500;
export const MAX_FIRST_BUYERS = 500;
/** Days that mempool buyers are looked for, and rows of each kind in the answer. */
export const MAX_MEMPOOL_DAYS = 60;
export const MEMPOOL_ROWS = 500;
