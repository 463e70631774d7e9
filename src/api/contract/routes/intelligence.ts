import type { RouteContract } from '../route.ts';

export const INTELLIGENCE_ROUTES: readonly RouteContract[] = [];
