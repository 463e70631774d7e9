import type { Address } from '../../chain/address.ts';
import { MADE_PCT, type SendRow } from './made-holder-rules.ts';

/** Which way a choice of a token's sends spread it. docs/research.md, "Sends". */

export type SendsVerdict = 'relay_chain' | 'manufactured_holders' | 'to_existing_holders' | 'mixed';

export type Wallets = ReadonlySet<Address | ''>;

/** Below so many receivers nothing is flagged. */
export const MIN_FLAGGED_RECEIVERS = 5;
/** A receiver forwards when it sends on this share of what it got. */
export const FORWARDED_PCT = 50;
/** A chain: so many receivers in a hundred forward, … */
export const RELAY_PCT = 20;
/** … so many forward or got theirs from one that does, … */
export const RELAYED_PCT = 50;
/** … and so many forward, or two of them one after the other. */
export const RELAYS = 3;
/** Sends go to holders when so many receivers in a hundred at most had never bought. */
export const EXISTING_FRESH_PCT = 20;
/** A crumb is less than one in so many parts of what those got whom a verdict is about. */
export const CRUMB_PART = 10n;
/** What they got is told by the largest amounts that make up half of it, and by so many of these at least. */
export const LARGEST_AMOUNTS = 5;

/** Sends that are judged together, and who their receivers are. */
export interface Spread {
  /** In order. */
  readonly sends: readonly SendRow[];
  readonly receivers: Wallets;
  readonly fresh: Wallets;
  readonly relays: Wallets;
  /** Wallets that were made holders. */
  readonly made: Wallets;
}

/** The first verdict that holds. */
export function verdictOf(judged: Spread): SendsVerdict {
  const { receivers, fresh, relays, made } = judged;
  // The same tokens go from hand to hand, and back at will: what a chain moved is its largest send.
  const moved = withoutCrumbs(judged, relays, { joined: larger, worth: (passed) => passed.reduce(larger, 0n) });
  if (isMost(chainOf(judged, moved), moved, RELAYED_PCT)) return 'relay_chain';
  const counted = withoutCrumbs(judged, made, { joined: added, worth: (given) => given.reduce(added, 0n) });
  if (isMost(made, counted, MADE_PCT)) return 'manufactured_holders';
  const both = spreadBothWays(judged, moved, counted);
  if (both !== undefined) return both;
  return fresh.size * 100 <= EXISTING_FRESH_PCT * receivers.size ? 'to_existing_holders' : 'mixed';
}

/** True for verdicts of bad faith that enough receivers bear out. */
export function isFlagged(verdict: SendsVerdict, { receivers }: Spread): boolean {
  const isSuspicious = verdict === 'relay_chain' || verdict === 'manufactured_holders';
  return isSuspicious && receivers.size >= MIN_FLAGGED_RECEIVERS;
}

/** A chain and a hand-out beside each other, neither of which is most: one does not hide the other. */
function spreadBothWays(judged: Spread, moved: Wallets, counted: Wallets): SendsVerdict | undefined {
  const { made } = judged;
  const others = new Set([...moved].filter((wallet) => !made.has(wallet)));
  const chain = chainOf(judged, others);
  if (made.size === 0 || chain.size === 0) return undefined;
  if ((chain.size + made.size) * 100 < MADE_PCT * new Set([...counted, ...chain]).size) return undefined;
  return chain.size > made.size ? 'relay_chain' : 'manufactured_holders';
}

/** Amounts of several sends to one wallet as one, and those of several wallets as what they are worth together. */
interface Weighing {
  readonly joined: (a: bigint, b: bigint) => bigint;
  readonly worth: (amounts: readonly bigint[]) => bigint;
}

const added = (a: bigint, b: bigint) => a + b;
const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/**
 * Receivers of whom a verdict about some of them takes a share: all without those who got crumbs, which lower the share of
 * these for nothing. Crumbs that come to half of the worth of these together are a distribution of its own, and count; so
 * do all where fewer would be left than can be flagged, or one who moves a bag about would speak for everybody.
 */
function withoutCrumbs({ sends, receivers }: Spread, about: Wallets, { joined, worth }: Weighing): Wallets {
  const amounts = new Map<Address | '', bigint>();
  const others = new Map<Address | '', bigint>();
  for (const { receiver, amount } of sends) {
    if (about.has(receiver)) amounts.set(receiver, joined(amounts.get(receiver) ?? 0n, amount));
    else others.set(receiver, (others.get(receiver) ?? 0n) + amount);
  }
  const ofThese = [...amounts.values()];
  const least = leastOfLargest(ofThese);
  const crumbs = new Map([...others].filter(([, amount]) => amount * CRUMB_PART < least));
  if ([...crumbs.values()].reduce(added, 0n) * 2n >= worth(ofThese)) return receivers;
  const left = new Set([...receivers].filter((wallet) => !crumbs.has(wallet)));
  return left.size < MIN_FLAGGED_RECEIVERS ? receivers : left;
}

/** The least of the largest amounts that come to half of all, so that crumbs among them do not lower it. */
function leastOfLargest(amounts: readonly bigint[]): bigint {
  const largest = amounts.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  const all = amounts.reduce(added, 0n);
  let least = 0n;
  let together = 0n;
  for (const [index, amount] of largest.entries()) {
    if (index >= LARGEST_AMOUNTS && together * 2n >= all) break;
    least = amount;
    together += amount;
  }
  return least;
}

function isMost(some: Wallets, all: Wallets, percent: number): boolean {
  return some.size > 0 && some.size * 100 >= percent * all.size;
}

/** Those of some receivers that forward, or got theirs from one that does; nobody where these make no chain. */
function chainOf({ sends, relays }: Spread, among: Wallets): Wallets {
  const forwarding = [...relays].filter((wallet) => among.has(wallet));
  if (forwarding.length * 100 < RELAY_PCT * among.size) return new Set();
  // An ambiguous send does not tell who sent to whom.
  const fed = receiversOf(sends.filter(({ sender, ambiguous }) => relays.has(sender) && !ambiguous));
  const isChain = forwarding.length >= RELAYS || forwarding.some((relay) => fed.has(relay));
  return new Set(isChain ? [...forwarding, ...[...fed].filter((wallet) => among.has(wallet))] : []);
}

/** Wallets that got some, and then sent on half as much at least as they had got by then. */
export function findRelays(sends: readonly SendRow[]): Wallets {
  const got = new Map<Address | '', bigint>();
  const sent = new Map<Address | '', bigint>();
  const relays = new Set<Address | ''>();
  for (const { sender, receiver, amount } of sends) {
    const had = got.get(sender);
    if (had !== undefined) {
      const passed = (sent.get(sender) ?? 0n) + amount;
      sent.set(sender, passed);
      if (passed * 100n >= had * BigInt(FORWARDED_PCT)) relays.add(sender);
    }
    got.set(receiver, (got.get(receiver) ?? 0n) + amount);
  }
  return relays;
}

export function receiversOf(sends: readonly SendRow[]): Wallets {
  return new Set(sends.map(({ receiver }) => receiver));
}
