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

interface PricedSchema {
  readonly default?: unknown;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}

/** Switches count from 0 to 1. */
function pricedParameter(name: string, { default: fallback, maximum, enum: words }: PricedSchema) {
  const max = maximum ?? (words === undefined ? undefined : Math.max(...words.map(Number)));
  return {
    name,
    ...(fallback === undefined ? {} : { default: Number(fallback) }),
    ...(max === undefined ? {} : { max }),
  };
}
