import type { Address } from '../../chain/address.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { HolderAnswers } from './answers.ts';
import { getHolderHistory, getHolderStats, listHolders, listTraders } from './contract.ts';

/** Routes of the wallets that hold a token, and of those that traded it. */
export function holderRoutes(answers: HolderAnswers): readonly BoundRoute[] {
  return [
    bind(listHolders, ({ mint }, { limit }) => answers.holders(mint as Address, limit)),
    bind(listTraders, ({ mint }, order) => answers.traders(mint as Address, order)),
    bind(getHolderHistory, ({ mint }, { tf }) => answers.holderHistory(mint as Address, tf)),
    bind(getHolderStats, ({ mint }) => answers.holderStats(mint as Address)),
  ];
}
