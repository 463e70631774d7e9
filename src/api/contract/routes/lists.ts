import type { RouteContract } from '../route.ts';

/** Wallet groups, favorites and streams. */
export const LIST_ROUTES: readonly RouteContract[] = [];
