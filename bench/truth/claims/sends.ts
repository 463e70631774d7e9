import type { Address } from '../../../src/chain/address.ts';
import type { SchemeKind } from '../../../src/simulator/truth.ts';
import type { TokenAnswers } from '../ask.ts';
import type { TokenTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';
import { landedSends } from '../intents.ts';

/** Below so many receivers nothing is flagged. */
const MIN_RECEIVERS = 5;
/** A token's sends are what most of its receivers make them; between these shares they are neither. */
const MOST = 0.5;
const SOME = 0.25;
/** Receivers "never entered through the market" when nearly all did not; when half did, they may not be called so. */
const NEARLY_ALL = 0.9;
const HALF = 0.5;

type Verdict = 'relay_chain' | 'manufactured_holders';
type Meant = Verdict | 'honest' | 'neither';

/**
 * What /sends flags. By intent a token's sends are a relay chain, manufactured holders, or honest, by what most of its
 * receivers got theirs from. By the rule's words they are manufactured holders when the receivers never bought, whoever
 * they are: a gift to a community that trades other coins too. What stands between two truths is left out.
 */
export function sendsClaims(token: TokenTruth, { sends }: TokenAnswers): Claim[] {
  const flagged = sends.flagged ? sends.verdict : undefined;
  const naive = naiveVerdict(token);
  const meant = meantBySends(token);
  const claim = (value: Verdict, by: Claim['by'], truth: Meant): Claim => {
    const word = (verdict: string | undefined) => new Set(verdict === value ? [value] : []);
    const name = `sends: ${value}`;
    return { name, by, truth: word(truth), claimed: word(flagged), naive: word(naive), answer: sends };
  };
  const claims: Claim[] = [];
  const words = wordsOfRule(token, meant);
  if (words !== 'neither') claims.push(claim('manufactured_holders', 'rule', words));
  if (meant === 'neither') return claims;
  claims.push(claim('relay_chain', 'intent', meant), claim('manufactured_holders', 'intent', meant));
  if (receiversOf(token).size >= MIN_RECEIVERS) {
    const left = (verdict: string | undefined) => new Set(verdict === undefined ? ['left alone'] : []);
    const truth = left(meant === 'honest' ? undefined : meant);
    const name = 'sends: honest ones left alone';
    claims.push({ name, by: 'intent', truth, claimed: left(flagged), naive: left(naive), answer: sends });
  }
  return claims;
}

function meantBySends(token: TokenTruth): Meant {
  const receivers = receiversOf(token);
  if (receivers.size < MIN_RECEIVERS) return 'honest';
  const relayed = schemeReceivers(token, 'relay_chain').size / receivers.size;
  const dropped = schemeReceivers(token, 'fake_airdrop').size / receivers.size;
  if (relayed + dropped < SOME) return 'honest';
  if (relayed + dropped < MOST) return 'neither';
  return relayed >= dropped ? 'relay_chain' : 'manufactured_holders';
}

function wordsOfRule(token: TokenTruth, meant: Meant): Meant {
  if (meant === 'relay_chain' || receiversOf(token).size < MIN_RECEIVERS) return meant;
  if (schemeReceivers(token, 'relay_chain').size / receiversOf(token).size >= SOME) return 'neither';
  const fresh = freshShare(token);
  if (fresh >= NEARLY_ALL) return 'manufactured_holders';
  return fresh < HALF ? 'honest' : 'neither';
}

/** Receivers that had not bought when they first got some. */
function freshShare({ swaps, transfers }: TokenTruth): number {
  const firstGot = new Map<Address, number>();
  for (const { slot, to } of transfers) if (!firstGot.has(to)) firstGot.set(to, slot);
  const buyers = new Set<Address>();
  for (const { isBuy, slot, trader } of swaps) if (isBuy && slot <= (firstGot.get(trader) ?? -1)) buyers.add(trader);
  return 1 - buyers.size / firstGot.size;
}

function receiversOf({ transfers }: TokenTruth): Set<Address> {
  return new Set(transfers.map(({ to }) => to));
}

function schemeReceivers(token: TokenTruth, kind: SchemeKind): Set<Address> {
  const schemes = token.schemes.filter((scheme) => scheme.kind === kind);
  return new Set(schemes.flatMap((scheme) => landedSends(token, scheme).map(({ to }) => to)));
}

/** Whoever sends to five or more makes holders; a receiver that ever sends makes a relay. */
function naiveVerdict(token: TokenTruth): Verdict | undefined {
  const receivers = receiversOf(token);
  if (receivers.size < MIN_RECEIVERS) return undefined;
  return token.transfers.some(({ from }) => receivers.has(from)) ? 'relay_chain' : 'manufactured_holders';
}
