import type { FeeMarketAnswers } from '../../../src/features/fee-market/answers.ts';
import { routersExample } from '../../../src/features/fee-market/contract-routers.ts';
import { tipMarketExample } from '../../../src/features/fee-market/contract-tip-market.ts';

/** Reports out of the examples of the contract. */
export function feeMarketDouble(): FeeMarketAnswers {
  const answer = (example: unknown) => async () => Buffer.from(JSON.stringify(example));
  return { routers: answer(routersExample), tips: answer(tipMarketExample) };
}
