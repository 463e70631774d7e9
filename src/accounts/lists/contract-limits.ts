/** Bounds of what a wallet may keep. */

/** Groups of a wallet. */
export const MAX_GROUPS = 100;
/** Wallets in one group. */
export const MAX_GROUP_WALLETS = 1_000;
/** Wallets in all groups of a wallet together: what a list with all its members can hold at most. */
export const MAX_LISTED_WALLETS = 10_000;
export const MAX_FAVORITES = 1_000;
/** Code points of a member's note, and of a favorite's alias. */
export const MAX_NOTE = 256;
export const MAX_ALIAS = 64;

/** Lamports of the smallest trade that a feed may be asked for, of what it carries unless told, and of the largest. */
export const MIN_FEED_LAMPORTS = 100_000_000n;
export const DEFAULT_FEED_LAMPORTS = 3_000_000_000n;
export const MAX_FEED_LAMPORTS = 10n ** 18n;
