import { MINT, TRADER, tokenListRowExample } from '../../../src/contract/examples.ts';
import type { SearchAnswers } from '../../../src/features/search/answers.ts';

const body = (data: readonly object[]) => Buffer.from(JSON.stringify({ data }));

/** Finds the one token of the doubles, and the one wallet by its address. */
export function searchDouble(): SearchAnswers {
  return {
    search: async () => body([tokenListRowExample]),
    suggest: async (text) =>
      body([text === TRADER ? { wallet: TRADER, kind: 'wallet' } : { mint: MINT, symbol: 'EXMPL', kind: 'token' }]),
    byName: async (name) => body(name === tokenListRowExample.name ? [tokenListRowExample] : []),
  };
}
