/** Slots before the current one that a schedule tells of. */
export const PAST_SLOTS = { fallback: 40, min: 1, max: 400 };
/** Slots behind the current one. */
export const FUTURE_SLOTS = { fallback: 160, min: 4, max: 1_600 };
/** What slots can be distributed by. */
export const DISTRIBUTED_BY = ['city', 'country', 'datacenter', 'client'] as const;
export type DistributedBy = (typeof DISTRIBUTED_BY)[number];
/** Rows of a distribution; what is beyond them is one more. */
export const MAX_SHARES = 200;
/** Key of that one. */
export const OTHER_KEY = 'other';
