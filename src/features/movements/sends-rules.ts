import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { isOnCurve } from '../../chain/keys/pda.ts';
import { groupBy } from './group-by.ts';
import { findMadeHolders, MADE_PCT, type Origin, type ReceiverPast, type SendRow } from './made-holder-rules.ts';

/**
 * Ways in which a token's sends spread it: forwarded along chains, put into wallets that
 * never entered a market, or given to its holders. docs/research.md, "Sends".
 */

export type SendsVerdict = 'relay_chain' | 'manufactured_holders' | 'to_existing_holders' | 'mixed';

export interface Distributor {
  readonly wallet: Address;
  readonly sends: number;
  readonly receivers: number;
  readonly freshReceivers: number;
  /** Receivers of its widest single transaction. */
  readonly maxFanout: number;
  /** Raw units. */
  readonly tokens: bigint;
}

export interface SendsJudgement {
  readonly sends: number;
  readonly senders: number;
  readonly receivers: number;
  readonly ambiguous: number;
  readonly freshReceivers: number;
  /** Share of the fresh receivers that entered a market all the same, from 0 to 1; undefined when none was looked up. */
  readonly freshTraders: number | undefined;
  readonly relayReceivers: number;
  readonly flagged: boolean;
  /** Undefined when nothing was sent. */
  readonly verdict: SendsVerdict | undefined;
  /** Sends inside transactions that trade: the verdict counts them, no other figure does. Undefined without any. */
  readonly hidden: HiddenSends | undefined;
  /** Figures that the verdict goes by: of all sends, hidden ones too. */
  readonly judged: JudgedFigures;
  /** Every sender, the one with the most receivers first. */
  readonly distributors: readonly Distributor[];
}

export interface HiddenSends {
  readonly sends: number;
  readonly receivers: number;
  /** Raw units. */
  readonly tokens: bigint;
}

export interface JudgedFigures {
  readonly receivers: number;
  readonly freshReceivers: number;
  readonly relayReceivers: number;
}

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
/** A program's address that got from so many wallets and sent to so many is a market or a vault. */
export const MARKET_WALLETS = 3;

/** Sends between people: without those from and to the accounts named, and to and from markets that nobody named. */
export function sendsOfPeople<R extends SendRow>(
  rows: readonly R[],
  isNamed: (wallet: Address | '') => boolean,
): readonly R[] {
  const unnamed = rows.filter(({ sender, receiver }) => !isNamed(sender) && !isNamed(receiver));
  const markets = findMarkets(unnamed);
  if (markets.size === 0) return unnamed;
  return unnamed.filter(({ sender, receiver }) => !markets.has(sender) && !markets.has(receiver));
}

/**
 * The one rule by which sends are judged. Receivers that `pasts` does not name had never bought, and were not looked
 * up. Rows in any order.
 */
export function judgeSends(
  rows: readonly SendRow[],
  pasts: ReadonlyMap<Address | '', ReceiverPast>,
  origin: Origin,
): SendsJudgement {
  const all = rows.toSorted((a, b) => a.slot - b.slot || a.block_index - b.block_index || a.ix_index - b.ix_index);
  const sends = all.filter(({ hidden }) => !hidden);
  const { receivers, fresh, relays } = figuresOf(sends, (past) => past?.boughtBeforeShown ?? past?.bought === true);
  const judged = { ...figuresOf(all, (past) => past?.bought === true), made: findMadeHolders(all, pasts, origin) };
  const distributors = listDistributors(sends, fresh);
  const verdict = all.length === 0 ? undefined : decide({ sends: all, ...judged });
  const suspicious = verdict === 'relay_chain' || verdict === 'manufactured_holders';

  function figuresOf(of: readonly SendRow[], hadBought: (past: ReceiverPast | undefined) => boolean) {
    const reached = receiversOf(of);
    const strange = new Set([...reached].filter((wallet) => !hadBought(pasts.get(wallet))));
    return { receivers: reached, fresh: strange, relays: findRelays(of) };
  }

  return {
    sends: sends.length,
    senders: distributors.length,
    receivers: receivers.size,
    ambiguous: sends.filter(({ ambiguous }) => ambiguous).length,
    freshReceivers: fresh.size,
    freshTraders: shareOfTraders(fresh, pasts),
    relayReceivers: relays.size,
    flagged: suspicious && judged.receivers.size >= MIN_FLAGGED_RECEIVERS,
    verdict,
    hidden: hiddenOf(all),
    judged: {
      receivers: judged.receivers.size,
      freshReceivers: judged.fresh.size,
      relayReceivers: judged.relays.size,
    },
    distributors,
  };
}

function hiddenOf(all: readonly SendRow[]): HiddenSends | undefined {
  const hidden = all.filter((row) => row.hidden);
  if (hidden.length === 0) return undefined;
  const tokens = hidden.reduce((sum, { amount }) => sum + amount, 0n);
  return { sends: hidden.length, receivers: receiversOf(hidden).size, tokens };
}

type Wallets = ReadonlySet<Address | ''>;

interface Judged {
  /** In order. */
  readonly sends: readonly SendRow[];
  readonly receivers: Wallets;
  readonly fresh: Wallets;
  readonly relays: Wallets;
  /** Wallets that were made holders. */
  readonly made: Wallets;
}

function decide(judged: Judged): SendsVerdict {
  const { receivers, fresh, made } = judged;
  if (isMost(chainOf(judged, receivers), receivers, RELAYED_PCT)) return 'relay_chain';
  if (isMost(made, receivers, MADE_PCT)) return 'manufactured_holders';
  const both = spreadBothWays(judged);
  if (both !== undefined) return both;
  return fresh.size * 100 <= EXISTING_FRESH_PCT * receivers.size ? 'to_existing_holders' : 'mixed';
}

/** A chain and a hand-out beside each other, neither of which is most: one does not hide the other. */
function spreadBothWays(judged: Judged): SendsVerdict | undefined {
  const { receivers, made } = judged;
  const others = new Set([...receivers].filter((wallet) => !made.has(wallet)));
  const chain = chainOf(judged, others);
  if (made.size === 0 || chain.size === 0) return undefined;
  if ((chain.size + made.size) * 100 < MADE_PCT * receivers.size) return undefined;
  return chain.size > made.size ? 'relay_chain' : 'manufactured_holders';
}

function isMost(some: Wallets, all: Wallets, percent: number): boolean {
  return some.size > 0 && some.size * 100 >= percent * all.size;
}

/** Those of some receivers that forward, or got theirs from one that does; nobody where these make no chain. */
function chainOf({ sends, relays }: Judged, among: Wallets): Wallets {
  const forwarding = [...relays].filter((wallet) => among.has(wallet));
  if (forwarding.length * 100 < RELAY_PCT * among.size) return new Set();
  // An ambiguous send does not tell who sent to whom.
  const fed = receiversOf(sends.filter(({ sender, ambiguous }) => relays.has(sender) && !ambiguous));
  const isChain = forwarding.length >= RELAYS || forwarding.some((relay) => fed.has(relay));
  return new Set(isChain ? [...forwarding, ...[...fed].filter((wallet) => among.has(wallet))] : []);
}

/** Wallets that got some, and then sent on half as much at least as they had got by then. */
function findRelays(sends: readonly SendRow[]): Wallets {
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

/** Of many a sample is looked up, and stands for all. */
function shareOfTraders(fresh: Wallets, pasts: ReadonlyMap<Address | '', ReceiverPast>): number | undefined {
  const sample = [...fresh].flatMap((wallet) => pasts.get(wallet)?.entered ?? []);
  return sample.length === 0 ? undefined : sample.filter((entered) => entered).length / sample.length;
}

function listDistributors(sends: readonly SendRow[], fresh: Wallets): Distributor[] {
  const distributors = [...groupBy(sends, ({ sender }) => sender)].map(([wallet, sent]): Distributor => {
    const receivers = receiversOf(sent);
    const transactions = groupBy(sent, ({ slot, block_index }) => `${slot} ${block_index}`);
    return {
      wallet,
      sends: sent.length,
      receivers: receivers.size,
      freshReceivers: [...receivers].filter((receiver) => fresh.has(receiver)).length,
      maxFanout: Math.max(...[...transactions.values()].map((together) => receiversOf(together).size)),
      tokens: sent.reduce((sum, { amount }) => sum + amount, 0n),
    };
  });
  return distributors.sort((a, b) => b.receivers - a.receivers || b.sends - a.sends || (a.wallet < b.wallet ? -1 : 1));
}

function receiversOf(sends: readonly SendRow[]): Wallets {
  return new Set(sends.map(({ receiver }) => receiver));
}

/** Accounts of programs, which nobody has a key of, that many get from and send to. */
function findMarkets(rows: readonly SendRow[]): Wallets {
  const givers = new Map(
    [...groupBy(rows, ({ receiver }) => receiver)].map(([wallet, got]) => [
      wallet,
      new Set(got.map(({ sender }) => sender)).size,
    ]),
  );
  const markets = new Set<Address | ''>();
  for (const [wallet, sent] of groupBy(rows, ({ sender }) => sender)) {
    if ((givers.get(wallet) ?? 0) < MARKET_WALLETS) continue;
    if (receiversOf(sent).size >= MARKET_WALLETS && !isOnCurve(addressBytes(wallet))) markets.add(wallet);
  }
  return markets;
}
