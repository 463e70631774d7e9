import { tokenExample } from '../../../src/contract/examples.ts';
import { Absence } from '../../../src/contract/stamp.ts';
import type { IntelligenceAnswers } from '../../../src/features/intelligence/answers.ts';
import { countersExample } from '../../../src/features/intelligence/contract.ts';
import { intelligenceExample } from '../../../src/features/intelligence/contract-shapes.ts';

export function intelligenceDouble(): IntelligenceAnswers {
  const answer = (example: unknown) => async (mint: string) =>
    mint === tokenExample.mint ? Buffer.from(JSON.stringify(example)) : new Absence(0);
  return {
    counters: answer(countersExample),
    intelligence: answer(intelligenceExample),
  };
}
