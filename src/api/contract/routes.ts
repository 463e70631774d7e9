import type { RouteContract } from './route.ts';
import { ACCOUNT_ROUTES } from './routes/account.ts';
import { AUTH_ROUTES } from './routes/auth.ts';
import { CREDIT_ROUTES } from './routes/credits.ts';
import { INTELLIGENCE_ROUTES } from './routes/intelligence.ts';
import { LAUNCH_ROUTES } from './routes/launch.ts';
import { LIST_ROUTES } from './routes/lists.ts';
import { METADATA_ROUTES } from './routes/metadata.ts';
import { MOVEMENTS_ROUTES } from './routes/movements.ts';
import { PACK_ROUTES } from './routes/pack.ts';
import { PRICES_ROUTES } from './routes/prices.ts';
import { getCosts, getHealth, getStats } from './routes/system.ts';
import { getActivity, getTicks, getToken, listCandles, listHolders, listSwaps, listTokens } from './routes/tokens.ts';
import { TRADERS_ROUTES } from './routes/traders.ts';

/** Every route of the service, in the order of the documentation. */
export const ROUTES: readonly RouteContract[] = [
  listTokens,
  getToken,
  listSwaps,
  listCandles,
  getTicks,
  getActivity,
  listHolders,
  ...TRADERS_ROUTES,
  ...INTELLIGENCE_ROUTES,
  ...LAUNCH_ROUTES,
  ...MOVEMENTS_ROUTES,
  ...METADATA_ROUTES,
  ...PRICES_ROUTES,
  ...PACK_ROUTES,
  getHealth,
  getStats,
  getCosts,
  ...AUTH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...CREDIT_ROUTES,
  ...LIST_ROUTES,
];
