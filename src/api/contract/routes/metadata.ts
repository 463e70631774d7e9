import type { RouteContract } from '../route.ts';

export const METADATA_ROUTES: readonly RouteContract[] = [];
