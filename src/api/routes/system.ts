import type { TokenAnswers } from '../../books/answers.ts';
import { buildCostTable } from '../contract/cost-table.ts';
import type { Health } from '../contract/resources/system.ts';
import { getCosts, getHealth, getStats } from '../contract/routes/system.ts';
import { ROUTES } from '../contract/routes.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';

/** Routes about the service itself. */
export function systemRoutes(answers: Pick<TokenAnswers, 'stats'>, health: () => Health): readonly BoundRoute[] {
  const costs = Buffer.from(JSON.stringify(buildCostTable(ROUTES)));
  return [
    bind(getHealth, async () => {
      const { status, ...rest } = health();
      return Buffer.from(JSON.stringify({ status, ...rest }));
    }),
    bind(getStats, () => answers.stats()),
    bind(getCosts, async () => costs),
  ];
}
