import type { RouteContract } from '../../contract/route.ts';
import { FAVORITE_ROUTES } from './contract-favorites.ts';
import { WALLET_GROUP_ROUTES } from './contract-groups.ts';
import { STREAM_ROUTES } from './contract-streams.ts';

/** Routes over a wallet's own lists: its groups, favorites and streams. */
export const LIST_ROUTES: readonly RouteContract[] = [...WALLET_GROUP_ROUTES, ...FAVORITE_ROUTES, ...STREAM_ROUTES];
