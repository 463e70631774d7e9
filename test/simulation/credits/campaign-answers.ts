import { swapExample, tokenExample } from '../../../src/contract/examples.ts';
import { Absence } from '../../../src/contract/stamp.ts';
import { holderExample } from '../../../src/features/holders/contract.ts';
import type { Answers } from '../../../src/features/index.ts';
import { createAnswersDouble, KNOWN_MINT } from '../../support/token-answers.ts';
import { FAILING_MINT, SLOW_MINT, SLOW_MS } from './asked.ts';

const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const SNAPSHOT = bodyOf(tokenExample);
const SWAPS = bodyOf({ data: [swapExample] });
const HOLDERS = bodyOf({ data: [holderExample] });

/** Answers of kept bytes, at once where it can be: some fail, some are slow, some are of nothing. */
export function campaignAnswers(): Answers {
  return createAnswersDouble({
    snapshot: (mint) => (mint === KNOWN_MINT || mint === SLOW_MINT ? SNAPSHOT : Promise.resolve(new Absence(1))),
    async swaps(mint) {
      if (mint === FAILING_MINT) throw new Error('as asked');
      if (mint === SLOW_MINT) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      return mint === KNOWN_MINT || mint === SLOW_MINT ? SWAPS : new Absence(1);
    },
    async holders(mint) {
      if (mint === SLOW_MINT) throw new Error('as asked');
      return HOLDERS;
    },
  });
}
