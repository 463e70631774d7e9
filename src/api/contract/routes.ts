import type { RouteContract } from './route.ts';
import { getCosts, getHealth, getStats } from './routes/system.ts';
import { getActivity, getTicks, getToken, listCandles, listHolders, listSwaps, listTokens } from './routes/tokens.ts';

/** Every route of the service, in the order of the documentation. */
export const ROUTES: readonly RouteContract[] = [
  listTokens,
  getToken,
  listSwaps,
  listCandles,
  getTicks,
  getActivity,
  listHolders,
  getHealth,
  getStats,
  getCosts,
];
