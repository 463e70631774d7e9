import type { RouteContract } from '../route.ts';

/** What is left of credits, and where they went. */
export const CREDIT_ROUTES: readonly RouteContract[] = [];
