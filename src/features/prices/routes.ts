import type { Address } from '../../chain/address.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { PriceAnswers } from './answers.ts';
import { getCreatorFees, getSolPrice, listPools, listPrices } from './contract.ts';

export function pricesRoutes(answers: PriceAnswers): readonly BoundRoute[] {
  return [
    bind(listPrices, (_params, { mints }) => answers.prices(mints as readonly Address[])),
    bind(listPools, ({ mint }) => answers.pools(mint as Address)),
    bind(getCreatorFees, ({ mint }) => answers.creatorFees(mint as Address)),
    bind(getSolPrice, () => answers.solPrice()),
  ];
}
