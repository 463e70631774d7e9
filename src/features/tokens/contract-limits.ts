/** Bounds of the routes, which contract and answers share. */

export const MAX_TRENDING = 200;
export const MAX_GRADUATING = 200;
/** Tokens that one page of a filtered list looks at. */
export const MAX_LOOKED_AT = 20_000;

export const GRADUATING_SORTS = ['velocity', 'eta'] as const;
export type GraduatingSort = (typeof GRADUATING_SORTS)[number];
