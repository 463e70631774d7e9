import { firstBuyerExample, launchExample, launchRaceExample } from '../../../src/api/contract/examples/launch.ts';
import { tokenExample } from '../../../src/api/contract/examples/tokens.ts';
import type { LaunchAnswers } from '../../../src/books/launch-answers.ts';

/** The launch of the one made-up token. */
export function launchDouble(): LaunchAnswers {
  const answer = (example: unknown) => async (mint: string) =>
    mint === tokenExample.mint ? Buffer.from(JSON.stringify(example)) : undefined;
  return {
    launch: answer(launchExample),
    race: answer(launchRaceExample),
    firstBuyers: answer({ data: [firstBuyerExample] }),
  };
}
