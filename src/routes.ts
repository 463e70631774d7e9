import { ACCOUNT_ROUTES } from './accounts/contract.ts';
import { CREDIT_ROUTES } from './accounts/credits/contract.ts';
import { LIST_ROUTES } from './accounts/lists/contract.ts';
import { AUTH_ROUTES } from './accounts/sessions/contract.ts';
import type { RouteContract } from './contract/route.ts';
import { DISCOVERY_ROUTES } from './features/discovery/contract.ts';
import { ECOSYSTEM_ROUTES } from './features/ecosystem/contract.ts';
import { EQUITY_ROUTES } from './features/equities/contract.ts';
import { FEE_MARKET_ROUTES } from './features/fee-market/contract.ts';
import { LANDING_ROUTES } from './features/fee-market/contract-landing.ts';
import { getHolderHistory, getHolderStats, listHolders, listTraders } from './features/holders/contract.ts';
import { INTELLIGENCE_ROUTES } from './features/intelligence/contract.ts';
import { LAUNCH_ROUTES } from './features/launch/contract.ts';
import { LEADER_ROUTES } from './features/leaders/contract.ts';
import { MOVEMENTS_ROUTES } from './features/movements/contract.ts';
import { getPack } from './features/pack/contract.ts';
import { PRICES_ROUTES } from './features/prices/contract.ts';
import { SEARCH_ROUTES } from './features/search/contract.ts';
import { SYSTEM_ROUTES } from './features/system/contract.ts';
import { batchTokens, getToken, listTokens } from './features/tokens/contract.ts';
import { MARKET_LIST_ROUTES } from './features/tokens/contract-market.ts';
import { TRADE_ROUTES } from './features/trades/contract.ts';
import { METADATA_ROUTES } from './metadata/contract.ts';

/** Every route of the service, in the order of the documentation. */
export const ROUTES: readonly RouteContract[] = [
  listTokens,
  getToken,
  ...TRADE_ROUTES,
  listHolders,
  batchTokens,
  listTraders,
  getHolderHistory,
  getHolderStats,
  ...INTELLIGENCE_ROUTES,
  ...LAUNCH_ROUTES,
  ...MOVEMENTS_ROUTES,
  ...METADATA_ROUTES,
  ...PRICES_ROUTES,
  ...MARKET_LIST_ROUTES,
  ...DISCOVERY_ROUTES,
  ...ECOSYSTEM_ROUTES,
  ...FEE_MARKET_ROUTES,
  ...LANDING_ROUTES,
  ...LEADER_ROUTES,
  ...EQUITY_ROUTES,
  ...SEARCH_ROUTES,
  getPack,
  ...SYSTEM_ROUTES,
  ...AUTH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...CREDIT_ROUTES,
  ...LIST_ROUTES,
];
