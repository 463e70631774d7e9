import type { TraderAnswers } from '../../books/trader-answers.ts';
import type { Address } from '../../chain/address.ts';
import { batchTokens, getHolderHistory, listTraders } from '../contract/routes/traders.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';

export function tradersRoutes(answers: TraderAnswers): readonly BoundRoute[] {
  return [
    bind(batchTokens, (_params, { mints }) => answers.batch(mints as readonly Address[])),
    bind(listTraders, ({ mint }, order) => answers.traders(mint as Address, order)),
    bind(getHolderHistory, ({ mint }, { tf }) => answers.holderHistory(mint as Address, tf)),
  ];
}
