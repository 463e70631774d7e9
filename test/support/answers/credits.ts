import { balanceExample, usageExample } from '../../../src/accounts/credits/contract.ts';
import type { CreditAnswers } from '../../../src/accounts/credits/credit-answers.ts';

/** Balance and usage by the examples. */
export function creditsDouble(): CreditAnswers {
  return {
    balance: async () => balanceExample,
    usage: async () => usageExample,
  };
}
