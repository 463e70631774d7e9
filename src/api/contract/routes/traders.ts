import type { RouteContract } from '../route.ts';

export const TRADERS_ROUTES: readonly RouteContract[] = [];
