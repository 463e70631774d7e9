import type { CostTable } from './resources/cost-table.ts';
import { defaultPrice, type RouteContract, routeName } from './route.ts';

/** Revision of the table's format. */
const TABLE_VERSION = 3;
/** Raised with every change of a price. */
const COST_VERSION = 7;

/** The public price list, out of the contracts that also charge by it. */
export function buildCostTable(routes: readonly RouteContract[]): CostTable {
  return {
    version: TABLE_VERSION,
    cost_version: COST_VERSION,
    unit: 'credit',
    routes: Object.fromEntries(routes.map((route) => [routeName(route), routeCost(route)])),
  };
}

function routeCost(route: RouteContract): CostTable['routes'][string] {
  return {
    default: defaultPrice(route),
    rule: route.price.rule,
    params: route.pricedBy.map((name) => pricedParameter(name, route.query[name]?.schema ?? {})),
  };
}

function pricedParameter(name: string, schema: { readonly default?: unknown; readonly maximum?: unknown }) {
  const { default: fallback, maximum } = schema;
  return {
    name,
    ...(fallback === undefined ? {} : { default: Number(fallback) }),
    ...(typeof maximum === 'number' ? { max: maximum } : {}),
  };
}
