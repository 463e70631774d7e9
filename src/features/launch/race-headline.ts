import type { Address } from '../../chain/address.ts';

/** Figures of a race that are told in words. */
export interface RaceFigures {
  readonly attempts: { readonly length: number };
  /** False when more may have happened than is known. */
  readonly whole: boolean;
  /** False when only those that landed are known. */
  readonly revertedKnown: boolean;
  readonly landed: number;
  readonly contenders: number;
  readonly winner: { readonly wallet: Address | ''; readonly slotsAfterCreation: number } | undefined;
  readonly winnerCuPrice: bigint;
  readonly winnerBidKnown: boolean;
  readonly selfAborts: number;
  readonly unknownOutcome: number;
}

/** Outcome of a race over `slots` slots, in words. Where it was not seen whole, nobody is said to be the first, or to be missing. */
export function raceHeadline(race: RaceFigures, slots: number): string {
  if (!race.whole) return cutHeadline(race, slots);
  const { winner, revertedKnown } = race;
  if (race.attempts.length === 0) {
    const nobody = revertedKnown ? 'Nobody tried to buy' : 'Nobody bought';
    const rest = revertedKnown ? '' : ' Who tried in vain is not known.';
    return `${nobody} ${over(slots)}.${rest}`;
  }
  const first =
    winner === undefined
      ? `No outside wallet got in${race.landed > 0 ? ': only the creator bought or paid' : ''}`
      : `${short(winner.wallet)} was the first outside wallet in, ${when(winner.slotsAfterCreation)}, ${bid(race)}`;
  if (!revertedKnown) return `${first}. ${many(race.landed, 'attempt')} landed; who tried in vain is not known.`;
  return `${first}${rivals(race)}. ${many(race.attempts.length, 'attempt')}, ${race.landed} landed${rest(race)}.`;
}

function cutHeadline({ attempts, landed, winner }: RaceFigures, slots: number): string {
  const gap = `What happened ${over(slots)} is not known in full`;
  if (attempts.length === 0) return `${gap}, and nothing is known of who tried to buy.`;
  const first = winner === undefined ? '' : `; ${short(winner.wallet)} is the first outside wallet that is known`;
  return `${gap}: ${many(attempts.length, 'attempt')} and ${landed} landed are known${first}.`;
}

function over(slots: number): string {
  return slots === 1 ? 'in the creation slot' : `in the creation slot and the ${many(slots - 1, 'slot')} behind it`;
}

function bid({ winnerBidKnown, winnerCuPrice }: Pick<RaceFigures, 'winnerBidKnown' | 'winnerCuPrice'>): string {
  return winnerBidKnown ? `bidding ${winnerCuPrice} micro-lamports per compute unit` : 'with a bid that is not known';
}

function rivals({ contenders, winner }: Pick<RaceFigures, 'contenders' | 'winner'>): string {
  if (winner === undefined) return contenders === 0 ? '' : `, though ${many(contenders, 'wallet')} tried`;
  return contenders === 1 ? ', without a rival' : `, against ${many(contenders - 1, 'other wallet')}`;
}

function rest({ selfAborts, unknownOutcome }: Pick<RaceFigures, 'selfAborts' | 'unknownOutcome'>): string {
  return (
    (selfAborts === 0 ? '' : `, ${selfAborts} declined by their own contract`) +
    (unknownOutcome === 0 ? '' : `, ${unknownOutcome} reverted for a reason that is not known`)
  );
}

function when(slotsAfterCreation: number): string {
  return slotsAfterCreation === 0 ? 'in the creation slot' : `${many(slotsAfterCreation, 'slot')} after creation`;
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function short(wallet: string): string {
  return wallet.length <= 12 ? wallet : `${wallet.slice(0, 4)}…${wallet.slice(-4)}`;
}
