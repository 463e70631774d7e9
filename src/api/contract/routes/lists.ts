import type { RouteContract } from '../route.ts';
import { FAVORITE_ROUTES } from './favorites.ts';
import { STREAM_ROUTES } from './streams.ts';
import { WALLET_GROUP_ROUTES } from './wallet-groups.ts';

/** What belongs to a wallet: its groups, favorites and streams. */
export const LIST_ROUTES: readonly RouteContract[] = [...WALLET_GROUP_ROUTES, ...FAVORITE_ROUTES, ...STREAM_ROUTES];
