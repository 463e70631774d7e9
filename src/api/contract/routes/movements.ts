import type { RouteContract } from '../route.ts';

export const MOVEMENTS_ROUTES: readonly RouteContract[] = [];
