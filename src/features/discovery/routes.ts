import type { Address } from '../../chain/address.ts';
import { ApiError } from '../../contract/errors.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { DiscoveryAnswers } from './answers.ts';
import { crossCheck, listEvents, listTrendingNames, listTweetTokens } from './contract.ts';
import { MAX_PAIRS, MAX_SIDE } from './contract-limits.ts';
import { launchpadDay, tipsByProvider } from './contract-sums.ts';

/** Lists over all tokens. The contracts have checked every address, so they are branded here. */
export function discoveryRoutes(answers: DiscoveryAnswers): readonly BoundRoute[] {
  return [
    bind(crossCheck, (_params, { mints, wallets }) => {
      checkSides({ mints, wallets });
      return answers.cross(mints as readonly Address[], wallets as readonly Address[]);
    }),
    bind(listTrendingNames, (_params, { window, limit }) => answers.names(window, limit)),
    bind(listTweetTokens, (_params, { limit }) => answers.tweets(limit)),
    bind(listEvents, (_params, { min_sol, limit }) => answers.events(min_sol, limit)),
    bind(launchpadDay, () => answers.launchpad()),
    bind(tipsByProvider, (_params, { window }) => answers.tips(window)),
  ];
}

/** Throws `too_many_items` for sides that are too long, each or together. */
function checkSides(sides: Readonly<Record<'mints' | 'wallets', readonly string[]>>): void {
  const details = { max: MAX_SIDE, max_pairs: MAX_PAIRS };
  for (const name of ['mints', 'wallets'] as const) {
    if (sides[name].length > MAX_SIDE) {
      throw new ApiError('too_many_items', { param: name, message: `${name} are at most ${MAX_SIDE}`, details });
    }
  }
  if (sides.mints.length * sides.wallets.length > MAX_PAIRS) {
    throw new ApiError('too_many_items', { message: `mints and wallets make at most ${MAX_PAIRS} pairs`, details });
  }
}
