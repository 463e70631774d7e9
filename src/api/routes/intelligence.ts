import type { IntelligenceAnswers } from '../../books/intelligence-answers.ts';
import type { Address } from '../../chain/address.ts';
import { getCounters, getHolderStats, getIntelligence } from '../contract/routes/intelligence.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';

/** How a token is held and by whom. */
export function intelligenceRoutes(answers: IntelligenceAnswers): readonly BoundRoute[] {
  return [
    bind(getHolderStats, ({ mint }) => answers.holderStats(mint as Address)),
    bind(getCounters, ({ mint }) => answers.counters(mint as Address)),
    bind(getIntelligence, ({ mint }) => answers.intelligence(mint as Address)),
  ];
}
