import { tokenExample } from '../../../src/contract/examples.ts';
import type { EquityAnswers } from '../../../src/features/equities/answers.ts';
import { equityExample, unseenEquityExample } from '../../../src/features/equities/contract.ts';

/** The walk through all routes knows one token, whatever it is. */
const KNOWN: readonly string[] = [equityExample.mint, tokenExample.mint];

const bytes = (answer: object) => Buffer.from(JSON.stringify(answer));

/** Tokenized shares, as the documentation has them. */
export function equitiesDouble(): EquityAnswers {
  return {
    list: () => bytes({ data: [equityExample, unseenEquityExample] }),
    equity: async (mint) => (KNOWN.includes(mint) ? bytes(equityExample) : undefined),
  };
}
