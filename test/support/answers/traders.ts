import { tokenExample } from '../../../src/api/contract/examples/tokens.ts';
import { holderCountExample, traderExample } from '../../../src/api/contract/examples/traders.ts';
import type { TraderAnswers } from '../../../src/books/trader-answers.ts';

const { mint: KNOWN } = tokenExample;

/** Answers about the one token of the doubles. */
export function tradersDouble(): TraderAnswers {
  const about = async (mint: string, answer: unknown) =>
    mint === KNOWN ? Buffer.from(JSON.stringify(answer)) : undefined;
  return {
    async batch(mints) {
      const data = mints.includes(KNOWN as (typeof mints)[number]) ? [tokenExample] : [];
      return Buffer.from(JSON.stringify({ data, missing: mints.filter((mint) => mint !== KNOWN) }));
    },
    traders: (mint) => about(mint, { data: [traderExample] }),
    holderHistory: (mint) => about(mint, { data: [holderCountExample] }),
  };
}
