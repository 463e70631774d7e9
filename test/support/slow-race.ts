import { CREATOR, hasNeighbour, type LaunchTransaction, type Leg } from './launch-script.ts';

/** A race by its rules, one after the other and over the transactions themselves: slow, and written without a look at the fast one. */
export function slowRace(script: readonly LaunchTransaction[], slots: number) {
  const inTime = script.filter(({ after }) => after < slots);
  const tries = inTime
    .filter(({ legs, revert }) => legs.some(isBuy) || (revert !== undefined && revert.side !== 'sell'))
    .sort((a, b) => a.after - b.after || a.index - b.index);
  const attempts = tries.map((each) => tell(each, script));
  // The first outsider in has won; that is settled once all have arrived.
  const first = attempts.find(({ outcome }) => outcome === 'landed');
  if (first !== undefined) first.outcome = 'won';
  const place = first === undefined ? undefined : attempts.indexOf(first);
  const won = place === undefined ? undefined : tries[place];
  const known = won !== undefined && hasKnownBid(won);
  const lost = tries
    .filter((each) => each.revert?.outcome === 'rejected' && hasKnownBid(each) && !tell(each, script).isDev)
    .toSorted((a, b) => Number(beyondSignatures(b) - beyondSignatures(a) || b.cuPrice - a.cuPrice));
  const atOnce = attempts.filter(({ after, bundled }) => after === 0 && bundled);
  return {
    attempts,
    whole: tries.every(({ partial }) => !partial),
    revertedKnown: true,
    landed: attempts.filter(({ paid }) => paid !== undefined).length,
    contenders: distinct(attempts.filter(({ isDev }) => !isDev).map(({ wallet }) => wallet)),
    winner: first?.wallet,
    winnerCuPrice: won !== undefined && known ? won.cuPrice : 0n,
    winnerBidKnown: won === undefined ? true : known,
    losingCuPriceMax: lost[0]?.cuPrice,
    selfAborts: attempts.filter(({ outcome }) => outcome === 'self_abort').length,
    unknownOutcome: attempts.filter(({ outcome }) => outcome === 'failed_unknown').length,
    bundleSize: tries.some(({ after, partial, revert }) => after === 0 && partial && revert === undefined)
      ? undefined
      : atOnce.some(({ others }) => others)
        ? atOnce.length
        : 0,
    bySlot: Array.from({ length: slots }, (_, after) => after).flatMap((after) => {
      const inside = attempts.filter((each) => each.after === after);
      if (inside.length === 0) return [];
      const here = tries.filter((each) => each.after === after);
      return [
        {
          slotsAfterCreation: after,
          attempts: inside.length,
          landed: inside.filter(({ paid }) => paid !== undefined).length,
          wallets: distinct(inside.map(({ wallet }) => wallet)),
          medianTip: middle(here.filter(({ revert }) => revert === undefined).map(({ tip }) => tip)),
          medianTipDeclared: here.some(({ revert, signatures }) => revert !== undefined && signatures === 0)
            ? undefined
            : middle(here.map(({ revert, tip, tipPayable }) => (revert === undefined ? tip : (tipPayable ?? tip)))),
          whole: here.every(({ partial }) => !partial),
        },
      ];
    }),
  };
}

function tell(each: LaunchTransaction, all: readonly LaunchTransaction[]) {
  const { after, index, legs, revert } = each;
  if (revert !== undefined) {
    const isDev = revert.wallet === CREATOR || each.payer === CREATOR;
    return {
      ...{ after, index, isDev, wallet: revert.wallet, outcome: revert.outcome as string },
      ...{ fee: each.networkFee, paid: undefined, bundled: false, others: undefined },
    };
  }
  const buys = legs.filter(isBuy);
  const isDev = buys.some(({ wallet }) => wallet === CREATOR) || each.payer === CREATOR;
  const inOneCoin = buys.filter(({ quoteMint }) => quoteMint === buys[0]?.quoteMint);
  return {
    ...{ after, index, isDev, wallet: buys[0]?.wallet, outcome: isDev ? 'dev_buy' : 'landed' },
    fee: inOneCoin.reduce((sum, { fee }) => sum + fee, 0n),
    paid: inOneCoin.reduce((sum, { quote }) => sum + quote, 0n),
    bundled: !each.partial && hasNeighbour(each, all),
    others: buys.some(({ wallet }) => wallet !== CREATOR),
  };
}

function isBuy({ isBuy, isActor }: Leg): boolean {
  return isBuy && !isActor;
}

function hasKnownBid({ budgetSource, legs, revert }: LaunchTransaction): boolean {
  const venue = revert === undefined ? legs.find(isBuy)?.venue : revert.venue;
  return venue === 0 && budgetSource !== 2;
}

/** What is charged for each signature is 5,000 lamports. */
function beyondSignatures({ networkFee, signatures }: LaunchTransaction): bigint {
  return networkFee - 5_000n * BigInt(signatures || 1);
}

function distinct(values: readonly unknown[]): number {
  return values.filter((value, place) => values.indexOf(value) === place).length;
}

function middle(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => Number(a - b));
  const half = sorted.length / 2;
  return ((sorted[Math.floor(half - 0.5)] ?? 0n) + (sorted[Math.floor(half)] ?? 0n)) / 2n;
}
