import type { DiscoveryAnswers } from '../../../src/features/discovery/answers.ts';
import { crossExample, eventsExample, namesExample, tweetsExample } from '../../../src/features/discovery/contract.ts';
import { launchpadExample, tipsExample } from '../../../src/features/discovery/contract-sums.ts';

/** Lists out of the examples of the contract. */
export function discoveryDouble(): DiscoveryAnswers {
  const answer = (example: unknown) => async () => Buffer.from(JSON.stringify(example));
  return {
    cross: answer(crossExample),
    names: answer(namesExample),
    tweets: answer(tweetsExample),
    events: answer(eventsExample),
    tips: answer(tipsExample),
    launchpad: answer(launchpadExample),
  };
}
