import type { RouteContract } from '../route.ts';

export const PRICES_ROUTES: readonly RouteContract[] = [];
