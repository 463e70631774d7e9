import type { PriceAnswers } from '../../books/price-answers.ts';
import type { Address } from '../../chain/address.ts';
import { getCreatorFees, getSolPrice, listPools, listPrices } from '../contract/routes/prices.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';

export function pricesRoutes(answers: PriceAnswers): readonly BoundRoute[] {
  return [
    bind(listPrices, (_params, { mints }) => answers.prices(mints as readonly Address[])),
    bind(listPools, ({ mint }) => answers.pools(mint as Address)),
    bind(getCreatorFees, ({ mint }) => answers.creatorFees(mint as Address)),
    bind(getSolPrice, () => answers.solPrice()),
  ];
}
