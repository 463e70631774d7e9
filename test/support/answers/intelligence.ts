import {
  countersExample,
  holderStatsExample,
  intelligenceExample,
} from '../../../src/api/contract/examples/intelligence.ts';
import { tokenExample } from '../../../src/api/contract/examples/tokens.ts';
import type { IntelligenceAnswers } from '../../../src/books/intelligence-answers.ts';

export function intelligenceDouble(): IntelligenceAnswers {
  const answer = (example: unknown) => async (mint: string) =>
    mint === tokenExample.mint ? Buffer.from(JSON.stringify(example)) : undefined;
  return {
    holderStats: answer(holderStatsExample),
    counters: answer(countersExample),
    intelligence: answer(intelligenceExample),
  };
}
