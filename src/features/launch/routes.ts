import type { Address } from '../../chain/address.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { LaunchAnswers } from './answers.ts';
import { getLaunch, getLaunchRace, getMempoolBuyers, listFirstBuyers } from './contract.ts';

/** Routes about the first moments of tokens. */
export function launchRoutes(answers: LaunchAnswers): readonly BoundRoute[] {
  return [
    bind(getLaunch, ({ mint }, { limit }) => answers.launch(mint as Address, limit)),
    bind(getLaunchRace, ({ mint }, { slots }) => answers.race(mint as Address, slots)),
    bind(getMempoolBuyers, (_params, { days }) => answers.mempoolBuyers(days)),
    bind(listFirstBuyers, ({ mint }, { limit }) => answers.firstBuyers(mint as Address, limit)),
  ];
}
