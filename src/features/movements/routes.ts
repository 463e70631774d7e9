import type { Address } from '../../chain/address.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { MovementAnswers } from './answers.ts';
import { getFundingClusters, getSends, listTransfers, listWalletTransfers } from './contract.ts';

/** Routes about moves outside trades, and the wallets behind them. */
export function movementsRoutes(answers: MovementAnswers): readonly BoundRoute[] {
  return [
    bind(getFundingClusters, ({ mint }) => answers.fundingClusters(mint as Address)),
    bind(listTransfers, ({ mint }, page) => answers.transfers(mint as Address, page)),
    bind(listWalletTransfers, ({ trader }, page) => answers.walletTransfers(trader as Address, page)),
    bind(getSends, ({ mint }, { w }) => answers.sends(mint as Address, w)),
  ];
}
