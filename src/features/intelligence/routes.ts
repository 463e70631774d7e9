import type { Address } from '../../chain/address.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { IntelligenceAnswers } from './answers.ts';
import { getCounters, getIntelligence } from './contract.ts';

/** Routes about the holders of a token and their doings. */
export function intelligenceRoutes(answers: IntelligenceAnswers): readonly BoundRoute[] {
  return [
    bind(getCounters, ({ mint }) => answers.counters(mint as Address)),
    bind(getIntelligence, ({ mint }) => answers.intelligence(mint as Address)),
  ];
}
