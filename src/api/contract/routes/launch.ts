import type { RouteContract } from '../route.ts';

export const LAUNCH_ROUTES: readonly RouteContract[] = [];
