import type { RouteContract } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/routes.ts';

/** A question about the market. */
export interface MarketQuestion {
  /** Name of its figures. */
  readonly name: string;
  /** As in its contract. */
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Those that the service has: routes and parameters are added here before they are everywhere. */
export function known(questions: readonly MarketQuestion[]): MarketQuestion[] {
  return questions.filter(({ route, query = {} }) => {
    const contract = ROUTES.find(({ path }) => path === route) as RouteContract | undefined;
    return contract !== undefined && Object.keys(query).every((name) => name in (contract.query ?? {}));
  });
}

export function pathOf({ route, query = {} }: MarketQuestion): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? route : `${route}?${text}`;
}
