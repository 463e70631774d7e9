import type { RouteContract } from '../route.ts';

/** Signing in with a wallet, and out. */
export const AUTH_ROUTES: readonly RouteContract[] = [];
