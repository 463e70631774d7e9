import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { FeeMarketAnswers } from './answers.ts';
import { listRouters } from './contract-routers.ts';
import { tipMarket } from './contract-tip-market.ts';

export function feeMarketRoutes(answers: FeeMarketAnswers): readonly BoundRoute[] {
  return [
    bind(listRouters, (_params, { window, venue }) => answers.routers({ window, venue })),
    bind(tipMarket, (_params, { window, provider }) => answers.tips(window, provider)),
  ];
}
