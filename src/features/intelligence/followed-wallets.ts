import type { Address } from '../../chain/address.ts';
import { castOf, type LaunchFacts } from './intelligence-rules.ts';
import { firstBuys } from './sniper-rules.ts';
import type { Cast } from './wallet-rules.ts';

/** First buyers whose funding is looked at beside the wallets that are listed. */
export const EARLY_BUYERS = 100;
/** Wallets whose doings are followed: launches have fewer. */
const MOST_FOLLOWED = 500;

/** Wallets of the launch: all that are told of a token with too many to be read. */
export function launchWallets(facts: LaunchFacts): Address[] {
  const early = [...firstBuys(facts.launch?.swaps ?? []).keys()].slice(0, EARLY_BUYERS);
  return [...new Set([...followedWallets(castOf(facts, [], new Map()).cast), ...early])];
}

export function followedWallets({ creator, snipers, bundleOf, linked }: Cast): Address[] {
  const wallets = new Set([...(creator === undefined ? [] : [creator]), ...bundleOf.keys(), ...snipers, ...linked]);
  return [...wallets].slice(0, MOST_FOLLOWED);
}
