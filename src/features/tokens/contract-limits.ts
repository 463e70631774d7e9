/** Bounds of the routes, which contract and answers share. */

export const MAX_TRENDING = 200;
