import { encodeBase58 } from '../../../src/chain/keys/base58.ts';
import type { Swap } from '../../../src/facts/fact.ts';
import type { TokenAnswers } from '../ask.ts';
import type { TokenTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';
import { landedSellers } from '../intents.ts';

/** Newest events that an answer has room for. */
const MAX_EVENTS = 50;
/** And wallets. */
const MAX_WALLETS = 100;

/** Claims of /intelligence about the developer's sales, and about exits. */
export function developerClaims(token: TokenTruth, { intelligence }: TokenAnswers): Claim[] {
  if (!intelligence.supported) return [];
  const { creation, swaps } = token;
  const { events, pattern, wallets } = intelligence;
  // Sales older than the oldest of a full list are not told.
  const oldest = events.length < MAX_EVENTS ? 0 : events.at(-1)!.slot + 1;
  const own = swaps.filter(({ trader }) => trader === creation.creator);
  const sales = own.filter(({ isBuy, slot }) => !isBuy && slot >= oldest);
  const told = events.filter(({ kind, slot }) => kind === 'dev_sell' && slot >= oldest);
  const dev = wallets.find(({ roles }) => roles.includes('dev'));
  const claims: Claim[] = [
    {
      name: "the developer's sales",
      by: 'rule',
      truth: new Set(sales.map(({ ixIndex, signature }) => `${encodeBase58(signature)}/${ixIndex}`)),
      claimed: new Set(told.map(({ ix_index: ixIndex, sig }) => `${sig}/${ixIndex}`)),
      answer: told,
    },
    {
      name: 'insiders leave (exit_in_progress)',
      by: 'intent',
      truth: yes(sellers(token, 'dev_dump').length + sellers(token, 'snipe').length > 0),
      claimed: yes(pattern === 'exit_in_progress'),
      answer: { pattern, snipers: intelligence.snipers, dev },
    },
  ];
  // The developer may be among those left out of a full list.
  if (dev === undefined && wallets.length === MAX_WALLETS) return claims;
  const soldMost = dev !== undefined && 2n * BigInt(dev.tokens_sold) >= BigInt(dev.tokens_bought);
  const dump: Omit<Claim, 'by' | 'truth'> = {
    name: 'dev dumps (half or more is sold)',
    claimed: yes(soldMost && dev.tokens_sold !== '0'),
    naive: yes(own.some(({ isBuy }) => !isBuy)),
    answer: dev,
  };
  const meant = sellers(token, 'dev_dump').includes(creation.creator);
  claims.push({ ...dump, by: 'rule', truth: yes(soldHalf(own)) });
  // A dump that is still under way is none yet.
  claims.push({ ...dump, by: 'intent', truth: yes(meant && soldHalf(own)) });
  return claims;
}

/** Wallets that sold in schemes of a kind. */
function sellers(token: TokenTruth, kind: 'dev_dump' | 'snipe'): string[] {
  return token.schemes.flatMap((scheme) => (scheme.kind === kind ? landedSellers(token, scheme) : []));
}

function soldHalf(swaps: readonly Swap[]): boolean {
  const sum = (isBuy: boolean) =>
    swaps.reduce((total, swap) => (swap.isBuy === isBuy ? total + swap.tokenAmount : total), 0n);
  return sum(false) > 0n && 2n * sum(false) >= sum(true);
}

function yes(holds: boolean): ReadonlySet<string> {
  return new Set(holds ? ['yes'] : []);
}
