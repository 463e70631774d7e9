import type { TokenFacts } from '../../src/token/facts.ts';

/** What facts of a token tell, without columns that only some ways to read them name. */
export function toldFacts(facts: TokenFacts) {
  const swap = (row: TokenFacts['lastSwap']) => row && { ...row, kind: undefined, mint: undefined, priced: undefined };
  const news = (row: object | undefined) => row && { ...row, kind: undefined, address: undefined, mint: undefined };
  return {
    ...{ creation: facts.creation, markets: facts.markets, hydrated: facts.hydrated },
    highs: facts.highs?.map((high) => ({ ...high, mint: undefined })),
    ...{ completion: news(facts.completion), graduation: news(facts.graduation) },
    ...{ creatorChange: news(facts.creatorChange), lastSwap: swap(facts.lastSwap), lastPriced: swap(facts.lastPriced) },
  };
}
