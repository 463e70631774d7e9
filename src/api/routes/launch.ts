import type { LaunchAnswers } from '../../books/launch-answers.ts';
import type { Address } from '../../chain/address.ts';
import { getLaunch, getLaunchRace, listFirstBuyers } from '../contract/routes/launch.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';

/** What a token's first moments were like. */
export function launchRoutes(answers: LaunchAnswers): readonly BoundRoute[] {
  return [
    bind(getLaunch, ({ mint }, { limit }) => answers.launch(mint as Address, limit)),
    bind(getLaunchRace, ({ mint }, { slots }) => answers.race(mint as Address, slots)),
    bind(listFirstBuyers, ({ mint }, { limit }) => answers.firstBuyers(mint as Address, limit)),
  ];
}
