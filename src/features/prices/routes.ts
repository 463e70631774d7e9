import type { Address } from '../../chain/address.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { PriceAnswers } from './answers.ts';
import { getCreatorFees, listPools, listPrices } from './contract.ts';
import { getSolPrice, getSolPriceHistory } from './contract-sol.ts';

const SECOND_MS = 1_000;

export function pricesRoutes(answers: PriceAnswers): readonly BoundRoute[] {
  return [
    bind(listPrices, (_params, { mints }) => answers.prices(mints as readonly Address[])),
    bind(listPools, ({ mint }) => answers.pools(mint as Address)),
    bind(getCreatorFees, ({ mint }) => answers.creatorFees(mint as Address)),
    bind(getSolPrice, () => answers.solPrice()),
    bind(getSolPriceHistory, (_params, { step, from, to }) =>
      answers.solPriceHistory({
        step,
        from: from === undefined ? undefined : Math.floor(from / SECOND_MS),
        to: to === undefined ? undefined : Math.ceil(to / SECOND_MS),
      }),
    ),
  ];
}
