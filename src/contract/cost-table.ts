import type { CostTable } from './cost-table-schema.ts';
import type { Parameter } from './parameter.ts';
import { defaultPrice, type RouteContract, routeName } from './route.ts';

/** Revision of the table's format. */
const TABLE_VERSION = 3;

/** Raised with every change of the table's prices or routes. */
export const COST_VERSION = 8;

/** The public price list, out of the contracts that also charge by it. */
export function buildCostTable(routes: readonly RouteContract[], costVersion: number = COST_VERSION): CostTable {
  return {
    version: TABLE_VERSION,
    cost_version: costVersion,
    unit: 'credit',
    routes: Object.fromEntries(routes.map((route) => [routeName(route), routeCost(route)])),
  };
}

function routeCost(route: RouteContract): CostTable['routes'][string] {
  return {
    default: defaultPrice(route),
    rule: route.price.rule,
    ...(route.pricedByParts ? { pack: true } : {}),
    params: route.pricedBy.map((name) => pricedParameter(name, route.query[name])),
  };
}

/** Switches count from 0 to 1, lists by their length; words have no largest one. */
function pricedParameter(name: string, parameter: Parameter<unknown> | undefined) {
  const { default: fallback, maximum, enum: words } = (parameter?.schema ?? {}) as PricedSchema;
  const isSwitch = words?.every((word) => /^\d+$/.test(word)) === true;
  const max = isSwitch ? Math.max(...words.map(Number)) : (maximum ?? parameter?.details?.max);
  return {
    name,
    ...(fallback === undefined ? {} : { default: isSwitch ? Number(fallback) : fallback }),
    ...(typeof max === 'number' ? { max } : {}),
  };
}

interface PricedSchema {
  readonly default?: number | string;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}
