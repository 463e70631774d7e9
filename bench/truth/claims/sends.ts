import type { Address } from '../../../src/chain/address.ts';
import type { SchemeKind } from '../../../src/simulator/truth.ts';
import type { TokenAnswers } from '../ask.ts';
import type { TokenTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';
import { landedSends } from '../intents.ts';

/** Below so many receivers nothing is flagged. */
const MIN_RECEIVERS = 5;
/** A token's sends are of the kind that most receivers got theirs by; between these shares they are neither. */
const MOST = 0.5;
const SOME = 0.25;

type Verdict = 'relay_chain' | 'manufactured_holders';

/**
 * What /sends flags. A token's sends are a relay chain, manufactured holders, or honest, by how most of its receivers
 * came to theirs; tokens of which a quarter to a half of the receivers are of bad faith are left out.
 */
export function sendsClaims(token: TokenTruth, { sends }: TokenAnswers): Claim[] {
  const verdict = sends.flagged ? sends.verdict : undefined;
  const meant = meantBySends(token);
  const word = (value: Verdict) => (at: string | undefined) => new Set(at === value ? [value] : []);
  const naive = naiveVerdict(token);
  const claims: Claim[] = [];
  for (const value of ['relay_chain', 'manufactured_holders'] as const) {
    const only = word(value);
    if (meant !== 'neither') {
      claims.push({
        name: `sends: ${value}`,
        by: 'intent',
        truth: only(meant),
        claimed: only(verdict),
        naive: only(naive),
        answer: sends,
      });
    }
  }
  return claims;
}

export function meantBySends(token: TokenTruth): Verdict | 'honest' | 'neither' {
  const receivers = new Set(token.transfers.map(({ to }) => to));
  if (receivers.size < MIN_RECEIVERS) return 'honest';
  const relayed = share(receivers, receiversOf(token, 'relay_chain'));
  const dropped = share(receivers, receiversOf(token, 'fake_airdrop'));
  if (relayed + dropped < SOME) return 'honest';
  if (relayed + dropped < MOST) return 'neither';
  return relayed >= dropped ? 'relay_chain' : 'manufactured_holders';
}

function receiversOf(token: TokenTruth, kind: SchemeKind): Set<Address> {
  const schemes = token.schemes.filter((scheme) => scheme.kind === kind);
  return new Set(schemes.flatMap((scheme) => landedSends(token, scheme).map(({ to }) => to)));
}

function share(all: ReadonlySet<Address>, some: ReadonlySet<Address>): number {
  let count = 0;
  for (const wallet of some) if (all.has(wallet)) count++;
  return count / all.size;
}

/** Whoever sends to five or more makes holders; a receiver that ever sends makes a relay. */
function naiveVerdict({ transfers }: TokenTruth): Verdict | undefined {
  const receivers = new Set(transfers.map(({ to }) => to));
  if (receivers.size < MIN_RECEIVERS) return undefined;
  return transfers.some(({ from }) => receivers.has(from)) ? 'relay_chain' : 'manufactured_holders';
}
