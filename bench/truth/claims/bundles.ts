import type { Address } from '../../../src/chain/address.ts';
import type { Swap } from '../../../src/facts/fact.ts';
import { LAUNCH_SWAPS, type TokenAnswers } from '../ask.ts';
import type { TokenTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';
import { landedBuyers } from '../intents.ts';
import { adjacentRuns, isBundle, type Run, slotRuns } from './neighbours.ts';

/** Slots after the creation in which a crew's buys may come. */
const LAUNCH_SLOTS = 3;

/** Claims of /launch about wallets that bought together. */
export function bundleClaims(token: TokenTruth, { launch }: TokenAnswers): Claim[] {
  const swaps = wholeRuns(token.swaps);
  const told = new Set(swaps.map(({ slot, blockIndex }) => `${slot}/${blockIndex}`));
  const truth = adjacentRuns(swaps).filter(isBundle);
  const naive = slotRuns(swaps).filter(isBundle);
  const claimed = launch.bundles
    .filter(({ is_bundle: isBundleHere, slot, start_index: start }) => isBundleHere && told.has(`${slot}/${start}`))
    .map(({ slot, start_index: start, size, wallets }) => ({ slot, start, size, buyers: wallets as Address[] }));
  const answer = launch.bundles.map(({ swaps: _, ...bundle }) => bundle).filter(({ is_bundle }) => is_bundle);
  const claims: Omit<Claim, 'answer'>[] = [
    { name: 'bundles', by: 'rule', truth: places(truth), claimed: places(claimed), naive: places(naive) },
    { name: 'bundle wallets', by: 'rule', truth: wallets(truth), claimed: wallets(claimed), naive: wallets(naive) },
    {
      name: 'bundle wallets at launch',
      by: 'intent',
      truth: crewOf(token),
      claimed: outsidersAtLaunch(token, claimed),
      naive: outsidersAtLaunch(token, naive),
    },
  ];
  return claims.map((claim) => ({ ...claim, answer }));
}

/** The first swaps, without a run that goes on behind them: the answer cuts it, and still judges it whole. */
function wholeRuns(swaps: readonly Swap[]): readonly Swap[] {
  if (swaps.length <= LAUNCH_SWAPS) return swaps;
  const last = adjacentRuns(swaps.slice(0, LAUNCH_SWAPS + 1)).at(-1);
  return swaps.slice(0, LAUNCH_SWAPS).filter((swap) => {
    const isInside = swap.slot === last?.slot && swap.blockIndex >= last.start;
    return !isInside;
  });
}

const places = (runs: readonly Run[]) => new Set(runs.map(({ slot, start, size }) => `${slot}/${start}/${size}`));
const wallets = (runs: readonly Run[]) =>
  new Set(runs.flatMap(({ buyers, slot, start }) => buyers.map((buyer) => `${slot}/${start}/${buyer}`)));

function outsidersAtLaunch({ creation }: TokenTruth, runs: readonly Run[]): Set<string> {
  const near = runs.filter(({ slot }) => slot <= creation.slot + LAUNCH_SLOTS);
  return new Set(near.flatMap(({ buyers }) => buyers.filter((buyer) => buyer !== creation.creator)));
}

const CREWS: ReadonlySet<string> = new Set(['bundle', 'spread_bundle', 'crew_in_one', 'paid_mate']);

/** Those who bought for one hand at the launch: side by side, or with others between. */
function crewOf(token: TokenTruth): Set<string> {
  const crews = token.schemes.filter(({ kind }) => CREWS.has(kind));
  return new Set(crews.flatMap((crew) => landedBuyers(token, crew)).filter((w) => w !== token.creation.creator));
}
