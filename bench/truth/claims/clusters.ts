import type { Address } from '../../../src/chain/address.ts';
import type { Funding } from '../../../src/facts/fact.ts';
import { exchangeWallet } from '../../../src/programs/registry/index.ts';
import type { TokenAnswers } from '../ask.ts';
import type { TokenTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';
import { landedBuyers } from '../intents.ts';
import { firstBuys } from './snipers.ts';

/** Buyers that are looked at. */
const EARLY_BUYERS = 100;
/** Wallets made for each paid buyer, above which a funder counts as one that serves everybody. */
const BUSY_FUNDER = 10;
const CROWD_KINDS = new Set(['shared_funder', 'bundle', 'spread_bundle']);

/** Claims of /funding-clusters about wallets that hang on one. */
export function clusterClaims(
  token: TokenTruth,
  { clusters }: TokenAnswers,
  firstFundings: ReadonlyMap<Address, Funding>,
): Claim[] {
  const early = firstBuys(token).slice(0, EARLY_BUYERS);
  const byFunder = new Map<Address, Address[]>();
  for (const { blockIndex, slot, trader } of early) {
    const funding = firstFundings.get(trader);
    if (funding === undefined || !isBefore(funding, { slot, blockIndex })) continue;
    byFunder.set(funding.funder, [...(byFunder.get(funding.funder) ?? []), trader]);
  }
  const { creator } = token.creation;
  const looked = new Set(early.map(({ trader }) => trader));
  // A funder that bought too is one of the group; a wallet that the developer paid for needs no second one.
  const groups = [...byFunder]
    .map(([funder, wallets]) => [funder, looked.has(funder) ? [funder, ...wallets] : wallets] as const)
    .filter(([funder, wallets]) => wallets.length > 1 || funder === creator);
  const isPublic = (funder: Address) =>
    exchangeWallet(funder) !== undefined ||
    walletsMade(funder, firstFundings) > BUSY_FUNDER * (byFunder.get(funder)?.length ?? 0);
  const claimed = pairs(clusters.clusters.map(({ funder, wallets }) => [funder, wallets] as const));
  const naive = pairs(groups);
  return [
    {
      name: 'shared funders',
      by: 'rule',
      truth: pairs(groups.filter(([funder]) => funder === creator || !isPublic(funder))),
      claimed,
      naive,
      answer: clusters,
    },
    {
      name: 'shared funders',
      by: 'intent',
      truth: meantPairs(
        token,
        early.map(({ trader }) => trader),
      ),
      claimed,
      naive,
      answer: clusters,
    },
  ];
}

/** Each wallet's first funding that is known. */
export function firstFundings(fundings: readonly Funding[]): Map<Address, Funding> {
  const first = new Map<Address, Funding>();
  for (const funding of fundings) if (!first.has(funding.wallet)) first.set(funding.wallet, funding);
  return first;
}

function walletsMade(funder: Address, fundings: ReadonlyMap<Address, Funding>): number {
  let made = 0;
  for (const { createdAccount, funder: payer } of fundings.values()) if (payer === funder && createdAccount) made++;
  return made;
}

function meantPairs(token: TokenTruth, early: readonly Address[]): Set<string> {
  const looked = new Set(early);
  const groups = token.schemes.flatMap((scheme) => {
    if (!CROWD_KINDS.has(scheme.kind) || scheme.source === undefined) return [];
    const wallets = landedBuyers(token, scheme).filter((wallet) => looked.has(wallet));
    return wallets.length > 1 ? [[scheme.source, wallets] as const] : [];
  });
  return pairs(groups);
}

function pairs(groups: readonly (readonly [string, readonly string[]])[]): Set<string> {
  return new Set(groups.flatMap(([funder, wallets]) => wallets.map((wallet) => `${funder}/${wallet}`)));
}

interface Place {
  readonly slot: number;
  readonly blockIndex: number;
}

function isBefore(a: Place, b: Place): boolean {
  return a.slot < b.slot || (a.slot === b.slot && a.blockIndex < b.blockIndex);
}
