import type { RouteContract } from '../../contract/route.ts';
import { listRouters } from './contract-routers.ts';
import { tipMarket } from './contract-tip-market.ts';

export const FEE_MARKET_ROUTES: readonly RouteContract[] = [listRouters, tipMarket];
