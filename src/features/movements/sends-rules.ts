import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { isOnCurve } from '../../chain/keys/pda.ts';
import type { Wallets } from './crumb-rules.ts';
import { groupBy } from './group-by.ts';
import { findMadeHolders, type Origin, type ReceiverPast, type SendRow } from './made-holder-rules.ts';
import { findRelays, isFlagged, receiversOf, type SendsVerdict, verdictOf } from './verdict-rules.ts';

/**
 * Ways in which a token's sends spread it: forwarded along chains, put into wallets that
 * never entered a market, or given to its holders. docs/research.md, "Sends".
 */

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
  /** Figures that the verdict goes by. */
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

/** Sends that are judged together. */
export interface SendsView<R> {
  readonly of: 'all' | 'outside' | 'inside';
  readonly sends: readonly R[];
}

type Pasts = ReadonlyMap<Address | '', ReceiverPast>;

export interface JudgedFigures {
  /** All sends, or those outside or inside trades alone. */
  readonly of: SendsView<SendRow>['of'];
  readonly receivers: number;
  readonly freshReceivers: number;
  readonly relayReceivers: number;
}

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

/** Choices of sends that are judged apart: all of them, and where there are both those outside and inside trades. */
export function viewsOf<R extends Pick<SendRow, 'hidden'>>(all: readonly R[]): readonly SendsView<R>[] {
  const [outside, inside] = [all.filter(({ hidden }) => !hidden), all.filter(({ hidden }) => hidden)];
  const both: SendsView<R>[] = [{ of: 'all', sends: all }];
  if (outside.length === 0 || inside.length === 0) return both;
  return [...both, { of: 'outside', sends: outside }, { of: 'inside', sends: inside }];
}

/**
 * The one rule by which sends are judged: all of them, those outside and those inside trades, and the gravest of it is
 * the verdict, so that none dilutes the other. Receivers that `pasts` does not name had never bought, and were not
 * looked up. Rows in any order.
 */
export function judgeSends(rows: readonly SendRow[], pasts: Pasts, origin: Origin): SendsJudgement {
  const all = rows.toSorted((a, b) => a.slot - b.slot || a.block_index - b.block_index || a.ix_index - b.ix_index);
  const sends = all.filter(({ hidden }) => !hidden);
  const pastsOutside = atFirstShown(pasts);
  const judged = viewsOf(all).map((view) => judgeView(view, view.of === 'outside' ? pastsOutside : pasts, origin));
  const gravest = judged.find(({ flagged }) => flagged) ?? judged[0]!;
  const receivers = receiversOf(sends);
  const fresh = freshOf(receivers, pastsOutside);
  const distributors = listDistributors(sends, fresh);
  return {
    sends: sends.length,
    senders: distributors.length,
    receivers: receivers.size,
    ambiguous: sends.filter(({ ambiguous }) => ambiguous).length,
    freshReceivers: fresh.size,
    freshTraders: shareOfTraders(fresh, pasts),
    relayReceivers: findRelays(sends).size,
    flagged: gravest.flagged,
    verdict: all.length === 0 ? undefined : gravest.verdict,
    hidden: hiddenOf(all),
    judged: gravest.figures,
    distributors,
  };
}

function judgeView({ of, sends }: SendsView<SendRow>, pasts: Pasts, origin: Origin) {
  const receivers = receiversOf(sends);
  const fresh = freshOf(receivers, pasts);
  const relays = findRelays(sends);
  const judged = { sends, receivers, fresh, relays, made: findMadeHolders(sends, pasts, origin) };
  const verdict = verdictOf(judged);
  const figures = { of, receivers: receivers.size, freshReceivers: fresh.size, relayReceivers: relays.size };
  return { verdict, flagged: isFlagged(verdict, judged), figures };
}

/** Pasts of receivers as of their first send that no venue's transaction hides. */
function atFirstShown(pasts: Pasts): Pasts {
  return new Map(
    [...pasts].map(([wallet, past]) => [wallet, { ...past, bought: past.boughtBeforeShown ?? past.bought }]),
  );
}

function freshOf(receivers: Wallets, pasts: Pasts): Wallets {
  return new Set([...receivers].filter((wallet) => pasts.get(wallet)?.bought !== true));
}

function hiddenOf(all: readonly SendRow[]): HiddenSends | undefined {
  const hidden = all.filter((row) => row.hidden);
  if (hidden.length === 0) return undefined;
  const tokens = hidden.reduce((sum, { amount }) => sum + amount, 0n);
  return { sends: hidden.length, receivers: receiversOf(hidden).size, tokens };
}

/** Of many a sample is looked up, and stands for all. */
function shareOfTraders(fresh: Wallets, pasts: Pasts): number | undefined {
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
