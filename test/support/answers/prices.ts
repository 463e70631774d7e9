import { Absence } from '../../../src/contract/stamp.ts';
import type { PriceAnswers } from '../../../src/features/prices/answers.ts';
import {
  creatorFeesExample,
  poolExample,
  sidePoolExample,
  tokenPriceExample,
} from '../../../src/features/prices/contract.ts';
import { solPriceExample, solPriceHistoryExample } from '../../../src/features/prices/contract-sol.ts';

const { mint: KNOWN } = tokenPriceExample;

/** Answers about the one token of the doubles. */
export function pricesDouble(): PriceAnswers {
  const about = async (mint: string, answer: unknown) =>
    mint === KNOWN ? Buffer.from(JSON.stringify(answer)) : new Absence(0);
  return {
    solPrice: () => Buffer.from(JSON.stringify(solPriceExample)),
    solPriceHistory: async () => Buffer.from(JSON.stringify(solPriceHistoryExample)),
    async prices(mints) {
      const data = mints.some((mint) => mint === KNOWN) ? [tokenPriceExample] : [];
      return Buffer.from(JSON.stringify({ data, missing: mints.filter((mint) => mint !== KNOWN) }));
    },
    pools: (mint) => about(mint, { data: [poolExample, sidePoolExample] }),
    creatorFees: (mint) => about(mint, creatorFeesExample),
  };
}
