import {
  fundingClustersExample,
  mempoolBuyersExample,
  sendsExample,
  tokenTransferExample,
} from '../../../src/api/contract/examples/movements.ts';
import { tokenExample } from '../../../src/api/contract/examples/tokens.ts';
import type { MovementAnswers } from '../../../src/books/movement-answers.ts';

/** What moved of the one made-up token. Its address is taken for a wallet's too. */
export function movementsDouble(): MovementAnswers {
  const answer = (example: unknown) => async (address: string) =>
    address === tokenExample.mint ? Buffer.from(JSON.stringify(example)) : undefined;
  return {
    mempoolBuyers: async (days) => Buffer.from(JSON.stringify({ ...mempoolBuyersExample, since_days: days })),
    fundingClusters: answer(fundingClustersExample),
    transfers: answer({ data: [tokenTransferExample] }),
    walletTransfers: answer({ data: [tokenTransferExample] }),
    sends: answer(sendsExample),
  };
}
