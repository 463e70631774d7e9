import { tokenExample } from '../../../src/contract/examples.ts';
import { Absence } from '../../../src/contract/stamp.ts';
import type { MovementAnswers } from '../../../src/features/movements/answers.ts';
import {
  fundingClustersExample,
  sendsExample,
  tokenTransferExample,
} from '../../../src/features/movements/contract-shapes.ts';

/** Movements of the made-up token. Its address is taken for a wallet's too. */
export function movementsDouble(): MovementAnswers {
  const answer = (example: unknown) => async (address: string) =>
    address === tokenExample.mint ? Buffer.from(JSON.stringify(example)) : new Absence(0);
  return {
    fundingClusters: answer(fundingClustersExample),
    transfers: answer({ data: [tokenTransferExample] }),
    walletTransfers: answer({ data: [tokenTransferExample] }),
    sends: answer(sendsExample),
  };
}
