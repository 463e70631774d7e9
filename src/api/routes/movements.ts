import type { MovementAnswers } from '../../books/movement-answers.ts';
import type { Address } from '../../chain/address.ts';
import {
  getFundingClusters,
  getMempoolBuyers,
  getSends,
  listTransfers,
  listWalletTransfers,
} from '../contract/routes/movements.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';

/** What moved outside trades, and who stands behind it. */
export function movementsRoutes(answers: MovementAnswers): readonly BoundRoute[] {
  return [
    bind(getMempoolBuyers, (_params, { days }) => answers.mempoolBuyers(days)),
    bind(getFundingClusters, ({ mint }) => answers.fundingClusters(mint as Address)),
    bind(listTransfers, ({ mint }, page) => answers.transfers(mint as Address, page)),
    bind(listWalletTransfers, ({ trader }, page) => answers.walletTransfers(trader as Address, page)),
    bind(getSends, ({ mint }, { w }) => answers.sends(mint as Address, w)),
  ];
}
