import type { Address } from '../../../src/chain/address.ts';
import type { EquityAnswers } from '../../../src/features/equities/answers.ts';
import { equityExample, unseenEquityExample } from '../../../src/features/equities/contract.ts';

const bytes = (answer: object) => Buffer.from(JSON.stringify(answer));

/** Tokenized shares, as the documentation has them. */
export function equitiesDouble(): EquityAnswers {
  return {
    list: () => bytes({ data: [equityExample, unseenEquityExample] }),
    equity: async (mint) => (mint === (equityExample.mint as Address) ? bytes(equityExample) : undefined),
  };
}
