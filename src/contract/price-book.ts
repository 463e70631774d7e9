import { buildCostTable, COST_VERSION } from './cost-table.ts';
import type { CostTable } from './cost-table-schema.ts';
import { type RouteContract, routeName } from './route.ts';

/** Prices that will hold from a moment on. */
export interface AnnouncedPrices {
  readonly costVersion: number;
  /** RFC 3339: when a release told of them first. */
  readonly announcedAt: string;
  /** RFC 3339. */
  readonly effectiveAt: string;
  /** By `METHOD /path`: those that change. */
  readonly prices: Readonly<Record<string, RouteContract['price']>>;
}

/** Days that prices are announced before they hold. */
export const NOTICE_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * Prices of the next release's contracts, announced by this release; undefined
 * when nothing changes. Once they hold, they move into the contracts and their
 * version becomes {@link COST_VERSION}.
 */
export const ANNOUNCED_PRICES: AnnouncedPrices | undefined = undefined;

/** Prices of routes, now. Charges and the published table come from here alone. */
export interface PriceBook {
  priceOf(route: RouteContract): RouteContract['price'];
  /** The table in force, which names the next one while there is one. */
  table(): CostTable;
}

export interface PriceBookOptions {
  readonly routes: readonly RouteContract[];
  readonly announced?: AnnouncedPrices | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** @throws {Error} when prices are announced that no route has, or with too little notice. */
export function createPriceBook({ routes, announced, now }: PriceBookOptions): PriceBook {
  const today = buildCostTable(routes);
  if (announced === undefined) return { priceOf: ({ price }) => price, table: () => today };
  const faults = announcementFaults(announced, routes);
  if (faults.length > 0) throw new Error(`announced prices: ${faults.join('; ')}`);

  const { costVersion, effectiveAt, prices } = announced;
  const changesAt = Date.parse(effectiveAt);
  const changed = routes.map((route) => ({ ...route, price: prices[routeName(route)] ?? route.price }));
  const byName = new Map(changed.map((route) => [routeName(route), route.price]));
  const before: CostTable = { ...today, next: { cost_version: costVersion, effective_at: effectiveAt } };
  const after = buildCostTable(changed, costVersion);
  return {
    priceOf: (route) => (now() < changesAt ? route.price : (byName.get(routeName(route)) ?? route.price)),
    table: () => (now() < changesAt ? before : after),
  };
}

/** Faults of an announcement; none when it is right. */
export function announcementFaults(announced: AnnouncedPrices, routes: readonly RouteContract[]): readonly string[] {
  const { costVersion, announcedAt, effectiveAt, prices } = announced;
  const known = new Set(routes.map(routeName));
  const noticeMs = Date.parse(effectiveAt) - Date.parse(announcedAt);
  return [
    ...(costVersion > COST_VERSION ? [] : [`version ${costVersion} is not newer than ${COST_VERSION}`]),
    ...(noticeMs >= NOTICE_DAYS * DAY_MS ? [] : [`less than ${NOTICE_DAYS} days of notice`]),
    ...Object.keys(prices)
      .filter((name) => !known.has(name))
      .map((name) => `there is no ${name}`),
  ];
}
