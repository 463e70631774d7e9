import { balanceExample, usageExample } from '../../../src/accounts/credits/contract.ts';
import type { CreditAnswers } from '../../../src/accounts/credits/credit-answers.ts';

/** What the examples say is left, and where it went. */
export function creditsDouble(): CreditAnswers {
  return {
    balance: async () => balanceExample,
    usage: async () => usageExample,
  };
}
