import { percentile, rounded } from '../run/statistics.ts';
import { ask } from './clients.ts';
import { type GrownService, hottestTokens } from './grown-service.ts';

export interface FirstOptions {
  /** First answers of each route. */
  readonly answers: number;
}

/**
 * First answers of the routes that read most, about the hottest tokens of a store with many swaps: nothing is kept of
 * any of them. Each token is asked for once and by one route, so that no answer has what another has read.
 */
export async function measureFirst({ service, client }: GrownService, { answers }: FirstOptions) {
  const mints = await hottestTokens(client, 2 * answers);
  const routes = ['intelligence', 'pack'] as const;
  const figures: Record<string, number> = { first_answers: Math.floor(mints.length / routes.length) };
  for (const [place, route] of routes.entries()) {
    const times: number[] = [];
    let givenUp = 0;
    // By turns, so that each route has tokens of every heat.
    for (const mint of mints.filter((_, index) => index % routes.length === place)) {
      const begun = performance.now();
      if (!(await ask(service, `/tokens/${mint}/${route}`))) givenUp += 1;
      times.push(performance.now() - begun);
    }
    figures[`first_${route}_p50_ms`] = rounded(percentile(times, 0.5), 1);
    figures[`first_${route}_given_up`] = givenUp;
    figures[`first_${route}_p99_ms`] = rounded(percentile(times, 0.99), 1);
  }
  return figures;
}
