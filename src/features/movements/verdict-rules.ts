import type { Address } from '../../chain/address.ts';
import { GIVEN, MIN_FLAGGED_RECEIVERS, PASSED, type Wallets, withoutCrumbs } from './crumb-rules.ts';
import { MADE_PCT, type SendRow } from './made-holder-rules.ts';

/** Which way a choice of a token's sends spread it. docs/research.md, "Sends". */

export type SendsVerdict = 'relay_chain' | 'manufactured_holders' | 'to_existing_holders' | 'mixed';

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
  const { sends, receivers, fresh, relays, made } = judged;
  const moved = withoutCrumbs(sends, relays, PASSED);
  if (moved.some((wallets) => isMost(chainOf(judged, wallets), wallets, RELAYED_PCT))) return 'relay_chain';
  const counted = withoutCrumbs(sends, made, GIVEN);
  if (counted.some((wallets) => isMost(among(made, wallets), wallets, MADE_PCT))) return 'manufactured_holders';
  for (const passed of moved) {
    for (const given of counted) {
      const both = spreadBothWays(judged, passed, given);
      if (both !== undefined) return both;
    }
  }
  return fresh.size * 100 <= EXISTING_FRESH_PCT * receivers.size ? 'to_existing_holders' : 'mixed';
}

/** True for verdicts of bad faith that enough receivers bear out. */
export function isFlagged(verdict: SendsVerdict, { receivers }: Spread): boolean {
  const isSuspicious = verdict === 'relay_chain' || verdict === 'manufactured_holders';
  return isSuspicious && receivers.size >= MIN_FLAGGED_RECEIVERS;
}

/** A chain and a hand-out beside each other, neither of which is most: one does not hide the other. */
function spreadBothWays(judged: Spread, moved: Wallets, counted: Wallets): SendsVerdict | undefined {
  const made = among(judged.made, counted);
  const others = new Set([...moved].filter((wallet) => !judged.made.has(wallet)));
  const chain = chainOf(judged, others);
  if (made.size === 0 || chain.size === 0) return undefined;
  if ((chain.size + made.size) * 100 < MADE_PCT * new Set([...counted, ...chain]).size) return undefined;
  return chain.size > made.size ? 'relay_chain' : 'manufactured_holders';
}

function among(some: Wallets, wallets: Wallets): Wallets {
  return new Set([...some].filter((wallet) => wallets.has(wallet)));
}

function isMost(some: Wallets, all: Wallets, percent: number): boolean {
  return some.size > 0 && some.size * 100 >= percent * all.size;
}

/** Those of some receivers that forward, or got theirs from one that does; nobody where these make no chain. */
function chainOf({ sends, relays }: Spread, wallets: Wallets): Wallets {
  const forwarding = [...among(relays, wallets)];
  if (forwarding.length * 100 < RELAY_PCT * wallets.size) return new Set();
  // An ambiguous send does not tell who sent to whom.
  const fed = receiversOf(sends.filter(({ sender, ambiguous }) => relays.has(sender) && !ambiguous));
  const isChain = forwarding.length >= RELAYS || forwarding.some((relay) => fed.has(relay));
  return new Set(isChain ? [...forwarding, ...among(fed, wallets)] : []);
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
