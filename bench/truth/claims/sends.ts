import type { Address } from '../../../src/chain/address.ts';
import { compareChainPlaces } from '../../../src/chain/place.ts';
import type { SchemeKind } from '../../../src/simulator/truth.ts';
import type { TokenAnswers } from '../ask.ts';
import type { TokenTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';
import { landedSends } from '../intents.ts';

/** Below so many receivers nothing is flagged. */
const MIN_RECEIVERS = 5;
/** A token's sends are what most of its receivers make them; between these shares they are a mixture. */
const MOST = 2 / 3;
const SOME = 0.25;
/** Gifts of one hand to many: of a team there are few. */
const HANDED_OUT: readonly SchemeKind[] = ['fake_airdrop', 'hidden_handout', 'community_airdrop', 'holder_airdrop'];

type Verdict = 'relay_chain' | 'manufactured_holders';
type Meant = Verdict | 'honest' | 'neither';

/** Tokens that each wallet traded. */
export type TradedMints = ReadonlyMap<Address, ReadonlySet<Address>>;

/**
 * Claims of /sends. By intent a token's sends are a relay chain, manufactured holders, or honest, by the scheme that
 * gave most of its receivers their tokens. By the rule's words holders are made when one hand gives to wallets that
 * never entered through the market: that never bought the token nor traded any other. Sends between two truths are left
 * out.
 */
export function sendsClaims(token: TokenTruth, { sends }: TokenAnswers, traded: TradedMints): Claim[] {
  const flagged = sends.flagged ? sends.verdict : undefined;
  const naive = naiveVerdict(token);
  const answer = { meant: sendsByKind(token), ...sends };
  const meant = kindOfSends(token, ['fake_airdrop', 'hidden_handout'], freshReceivers(token));
  const claim = (value: Verdict, by: Claim['by'], truth: Meant): Claim => {
    const word = (verdict: string | undefined) => new Set(verdict === value ? [value] : []);
    const name = `sends: ${value}`;
    return { name, by, truth: word(truth), claimed: word(flagged), naive: word(naive), answer };
  };
  const claims: Claim[] = [];
  const words = kindOfSends(token, HANDED_OUT, strangers(token, traded));
  if (words !== 'neither') claims.push(claim('manufactured_holders', 'rule', words));
  if (meant === 'neither') return claims;
  claims.push(claim('relay_chain', 'intent', meant), claim('manufactured_holders', 'intent', meant));
  if (receiversOf(token).size >= MIN_RECEIVERS) {
    const left = (verdict: string | undefined) => new Set(verdict === undefined ? ['left alone'] : []);
    const truth = left(meant === 'honest' ? undefined : meant);
    const name = 'sends: honest ones left alone';
    claims.push({ name, by: 'intent', truth, claimed: left(flagged), naive: left(naive), answer });
  }
  return claims;
}

/** The kind of a token's sends when `holderKinds` make holders of `made`. */
function kindOfSends(token: TokenTruth, holderKinds: readonly SchemeKind[], made: ReadonlySet<Address>): Meant {
  const receivers = receiversOf(token);
  if (receivers.size < MIN_RECEIVERS) return 'honest';
  const relayed = schemeReceivers(token, ['relay_chain']).size / receivers.size;
  const given = [...schemeReceivers(token, holderKinds)].filter((to) => made.has(to)).length / receivers.size;
  // Tokens that are handed on come before all else.
  if (relayed >= SOME) return relayed >= MOST ? 'relay_chain' : 'neither';
  if (given >= SOME) return given >= MOST ? 'manufactured_holders' : 'neither';
  return 'honest';
}

/** Those that had not bought when they first got some. */
function freshReceivers({ swaps, transfers }: TokenTruth): Set<Address> {
  const firstGot = new Map<Address, TokenTruth['transfers'][number]>();
  for (const transfer of transfers) if (!firstGot.has(transfer.to)) firstGot.set(transfer.to, transfer);
  const fresh = new Set(firstGot.keys());
  for (const swap of swaps) {
    const got = firstGot.get(swap.trader);
    if (swap.isBuy && got !== undefined && compareChainPlaces(swap, got) < 0) fresh.delete(swap.trader);
  }
  return fresh;
}

/** Receivers that never bought the token and never traded another. */
function strangers(token: TokenTruth, traded: TradedMints): Set<Address> {
  const buyers = new Set(token.swaps.filter(({ isBuy }) => isBuy).map(({ trader }) => trader));
  const isElsewhere = (wallet: Address) => [...(traded.get(wallet) ?? [])].some((mint) => mint !== token.mint);
  return new Set([...receiversOf(token)].filter((wallet) => !buyers.has(wallet) && !isElsewhere(wallet)));
}

export function tradedMints(tokens: readonly TokenTruth[]): TradedMints {
  const traded = new Map<Address, Set<Address>>();
  for (const { mint, swaps } of tokens) {
    for (const { trader } of swaps) {
      const mints = traded.get(trader);
      if (mints === undefined) traded.set(trader, new Set([mint]));
      else mints.add(mint);
    }
  }
  return traded;
}

function receiversOf({ transfers }: TokenTruth): Set<Address> {
  return new Set(transfers.map(({ to }) => to));
}

function schemeReceivers(token: TokenTruth, kinds: readonly SchemeKind[]): Set<Address> {
  const schemes = token.schemes.filter(({ kind }) => kinds.includes(kind));
  return new Set(schemes.flatMap((scheme) => landedSends(token, scheme).map(({ to }) => to)));
}

/** Kinds of a token's sends with their numbers, for whoever looks into a case. */
function sendsByKind(token: TokenTruth): string {
  const counts = new Map<SchemeKind, number>();
  for (const scheme of token.schemes) {
    const { length } = landedSends(token, scheme);
    if (length > 0) counts.set(scheme.kind, (counts.get(scheme.kind) ?? 0) + length);
  }
  return [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
}

/** The naive rule: a sender to five or more makes holders; a receiver that ever sends makes a relay. */
function naiveVerdict(token: TokenTruth): Verdict | undefined {
  const receivers = receiversOf(token);
  if (receivers.size < MIN_RECEIVERS) return undefined;
  return token.transfers.some(({ from }) => receivers.has(from)) ? 'relay_chain' : 'manufactured_holders';
}
