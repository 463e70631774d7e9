import type { RouteContract } from '../route.ts';

/** An account, its keys and its connections. */
export const ACCOUNT_ROUTES: readonly RouteContract[] = [];
