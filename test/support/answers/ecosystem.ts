import type { EcosystemAnswers } from '../../../src/features/ecosystem/answers.ts';
import { ecosystemExample } from '../../../src/features/ecosystem/contract.ts';
import { historyExample } from '../../../src/features/ecosystem/contract-history.ts';

/** Reports out of the examples of the contract. */
export function ecosystemDouble(): EcosystemAnswers {
  const answer = (example: unknown) => async () => Buffer.from(JSON.stringify(example));
  return { report: answer(ecosystemExample), history: answer(historyExample) };
}
