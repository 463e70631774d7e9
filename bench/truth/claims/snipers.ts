import type { Address } from '../../../src/chain/address.ts';
import type { Swap } from '../../../src/facts/fact.ts';
import type { TokenAnswers } from '../ask.ts';
import type { TokenTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';
import { landedBuyers } from '../intents.ts';

/** 800 ms of slots of 200 ms. */
const SNIPER_SLOTS = 4;
/** Wallets that an answer has room for: where it is full, snipers may be among those left out. */
const MAX_WALLETS = 100;
/** The naive rule: whoever is among so many first buyers. */
const NAIVE_BUYERS = 10;

/** Claims of /intelligence about snipers. It tells of SOL pairs only. */
export function sniperClaims(token: TokenTruth, { intelligence }: TokenAnswers): Claim[] {
  if (!intelligence.supported) return [];
  const firsts = firstBuys(token);
  const truth = firsts.filter(({ slot }) => slot <= token.creation.slot + SNIPER_SLOTS).map(({ trader }) => trader);
  const actors = token.schemes.filter(({ kind }) => kind === 'snipe').flatMap((each) => landedBuyers(token, each));
  const claimed = new Set(
    intelligence.wallets.filter(({ roles }) => roles.includes('sniper')).map(({ wallet }) => wallet),
  );
  const naive = new Set<string>(firsts.slice(0, NAIVE_BUYERS).map(({ trader }) => trader));
  const answer = intelligence.snipers;
  const count: Claim = {
    name: 'number of snipers',
    by: 'rule',
    truth: new Set([`${truth.length}`]),
    claimed: new Set([`${intelligence.snipers?.total}`]),
    answer,
  };
  if (intelligence.wallets.length === MAX_WALLETS) return [count];
  return [
    { name: 'snipers', by: 'rule', truth: new Set(truth), claimed, naive, answer },
    { name: 'snipers', by: 'intent', truth: new Set(actors), claimed, naive, answer },
    count,
  ];
}

/** Each buyer's first buy, in order, without the creator and the protocol's own wallets. */
export function firstBuys({ creation, swaps }: TokenTruth): Swap[] {
  const seen = new Set<Address>([creation.creator]);
  return swaps.filter(({ isBuy, protocolActor, trader }) => {
    if (!isBuy || protocolActor || seen.has(trader)) return false;
    seen.add(trader);
    return true;
  });
}
