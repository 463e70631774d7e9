import { tokenExample } from '../../../src/contract/examples.ts';
import { Absence } from '../../../src/contract/stamp.ts';
import type { LaunchAnswers } from '../../../src/features/launch/answers.ts';
import {
  firstBuyerExample,
  launchExample,
  launchRaceExample,
  mempoolBuyersExample,
} from '../../../src/features/launch/contract-examples.ts';

/** The launch of the one made-up token. */
export function launchDouble(): LaunchAnswers {
  const answer = (example: unknown) => async (mint: string) =>
    mint === tokenExample.mint ? Buffer.from(JSON.stringify(example)) : new Absence(0);
  return {
    launch: answer(launchExample),
    race: answer(launchRaceExample),
    firstBuyers: answer({ data: [firstBuyerExample] }),
    mempoolBuyers: async (days) => Buffer.from(JSON.stringify({ ...mempoolBuyersExample, since_days: days })),
  };
}
