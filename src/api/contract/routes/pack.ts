import type { RouteContract } from '../route.ts';

export const PACK_ROUTES: readonly RouteContract[] = [];
