import { tokenExample } from '../../../src/contract/examples.ts';
import { holderStatsExample } from '../../../src/contract/holder-stats.ts';
import { Absence } from '../../../src/contract/stamp.ts';
import type { HolderAnswers } from '../../../src/features/holders/answers.ts';
import { holderCountExample, holderExample, traderExample } from '../../../src/features/holders/contract.ts';

/** Answers about the one token of the doubles. */
export function holdersDouble(): HolderAnswers {
  const answer = (example: unknown) => async (mint: string) =>
    mint === tokenExample.mint ? Buffer.from(JSON.stringify(example)) : new Absence(0);
  return {
    holders: answer({ data: [holderExample], source: 'swap_estimate' }),
    holderStats: answer(holderStatsExample),
    traders: answer({ data: [traderExample] }),
    holderHistory: answer({ data: [holderCountExample] }),
  };
}
