import type { Address } from '../chain/address.ts';
import type { TransferRow } from '../store/clickhouse/tables.ts';
import { groupBy } from './group-by.ts';

/** How a token's sends spread it: forwarded along chains, put into wallets that never bought, or given to holders. docs/research.md, "Sends". */

/** A send as the rule needs it. One transaction is one place (slot, block_index). */
export type SendRow = Pick<
  TransferRow,
  'slot' | 'block_index' | 'ix_index' | 'sender' | 'receiver' | 'amount' | 'ambiguous'
>;

/** What is known of a receiver from before its first send of the window. */
export interface ReceiverPast {
  /** It had bought this token. */
  readonly bought: boolean;
  /** It had traded any token; undefined when that was not looked up. */
  readonly traded: boolean | undefined;
}

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
  readonly relayReceivers: number;
  readonly flagged: boolean;
  /** Undefined when nothing was sent. */
  readonly verdict: SendsVerdict | undefined;
  /** Every sender, the one with the most receivers first. */
  readonly distributors: readonly Distributor[];
}

/** Below so many receivers nothing is flagged. */
export const MIN_FLAGGED_RECEIVERS = 5;
/** A receiver forwards when it sends on this share of what it got. */
export const FORWARDED_SHARE = 50;
/** A chain: one receiver in so many forwards at least, … */
export const RELAY_PCT = 10;
/** … so many of the receivers forward or got theirs from one that does, … */
export const RELAYED_PCT = 33;
/** … and so many forward, or one of them to another that does or to several. */
export const RELAYS = 3;
/** A sender to so many wallets hands out. */
export const HANDOUT_RECEIVERS = 3;
/** Holders are made when so many of the receivers had traded nothing and got theirs from somebody who hands out. */
export const MADE_PCT = 60;
/** Sends go to holders when no more than so many of the receivers never bought. */
export const EXISTING_FRESH_PCT = 20;

/** Receivers that `pasts` does not list had neither bought nor, as far as looked up, traded. Rows in any order. */
export function judgeSends(rows: readonly SendRow[], pasts: ReadonlyMap<Address, ReceiverPast>): SendsJudgement {
  const ordered = rows.toSorted((a, b) => a.slot - b.slot || a.block_index - b.block_index || a.ix_index - b.ix_index);
  const edges = ordered.map((row) => ({ ...row, from: row.sender as Address, to: row.receiver as Address }));
  const receivers = new Set(edges.map(({ to }) => to));
  const isFresh = (wallet: Address) => pasts.get(wallet)?.bought !== true;
  const fresh = new Set([...receivers].filter(isFresh));
  const relays = findRelays(edges);
  const distributors = listDistributors(edges, fresh);
  const judged = { edges, receivers, fresh, relays, distributors, pasts };
  const verdict = edges.length === 0 ? undefined : decide(judged);
  return {
    sends: edges.length,
    senders: distributors.length,
    receivers: receivers.size,
    ambiguous: edges.filter(({ ambiguous }) => ambiguous).length,
    freshReceivers: fresh.size,
    relayReceivers: relays.size,
    flagged:
      receivers.size >= MIN_FLAGGED_RECEIVERS && (verdict === 'relay_chain' || verdict === 'manufactured_holders'),
    verdict,
    distributors,
  };
}

interface Edge extends SendRow {
  readonly from: Address;
  readonly to: Address;
}

interface Judged {
  readonly edges: readonly Edge[];
  readonly receivers: ReadonlySet<Address>;
  readonly fresh: ReadonlySet<Address>;
  readonly relays: ReadonlySet<Address>;
  readonly distributors: readonly Distributor[];
  readonly pasts: ReadonlyMap<Address, ReceiverPast>;
}

function decide(judged: Judged): SendsVerdict {
  const { receivers, fresh } = judged;
  if (isRelayChain(judged)) return 'relay_chain';
  if (madeHolders(judged) * 100 >= MADE_PCT * receivers.size) return 'manufactured_holders';
  return fresh.size * 100 <= EXISTING_FRESH_PCT * receivers.size ? 'to_existing_holders' : 'mixed';
}

function isRelayChain({ edges, receivers, relays }: Judged): boolean {
  if (relays.size < 2 || relays.size * 100 < RELAY_PCT * receivers.size) return false;
  const fed = new Set(edges.filter(({ from }) => relays.has(from)).map(({ to }) => to));
  const touched = new Set([...relays, ...fed]);
  if (touched.size * 100 < RELAYED_PCT * receivers.size) return false;
  return relays.size >= RELAYS || [...relays].some((relay) => fed.has(relay));
}

/** Wallets that got some and then sent on at least half as much as they had got by then. Edges in order. */
function findRelays(edges: readonly Edge[]): ReadonlySet<Address> {
  const got = new Map<Address, bigint>();
  const sent = new Map<Address, bigint>();
  const relays = new Set<Address>();
  for (const { from, to, amount } of edges) {
    const had = got.get(from);
    if (had !== undefined) {
      const total = (sent.get(from) ?? 0n) + amount;
      sent.set(from, total);
      if (total * 100n >= had * BigInt(FORWARDED_SHARE)) relays.add(from);
    }
    got.set(to, (got.get(to) ?? 0n) + amount);
  }
  return relays;
}

/** Receivers that had never traded, and got theirs from somebody who hands out. */
function madeHolders({ edges, fresh, distributors, pasts }: Judged): number {
  const handingOut = new Set(
    distributors.filter(({ receivers }) => receivers >= HANDOUT_RECEIVERS).map(({ wallet }) => wallet),
  );
  const made = new Set<Address>();
  for (const { from, to } of edges) {
    if (fresh.has(to) && pasts.get(to)?.traded !== true && handingOut.has(from)) made.add(to);
  }
  return made.size;
}

function listDistributors(edges: readonly Edge[], fresh: ReadonlySet<Address>): Distributor[] {
  const bySender = groupBy(edges, ({ from }) => from);
  const distributors = [...bySender].map(([wallet, sent]) => {
    const receivers = new Set(sent.map(({ to }) => to));
    const byTransaction = groupBy(sent, ({ slot, block_index }) => `${slot} ${block_index}`);
    const fanouts = [...byTransaction.values()].map((group) => new Set(group.map(({ to }) => to)).size);
    return {
      wallet,
      sends: sent.length,
      receivers: receivers.size,
      freshReceivers: [...receivers].filter((each) => fresh.has(each)).length,
      maxFanout: Math.max(...fanouts),
      tokens: sent.reduce((sum, { amount }) => sum + amount, 0n),
    };
  });
  return distributors.sort((a, b) => b.receivers - a.receivers || b.sends - a.sends || (a.wallet < b.wallet ? -1 : 1));
}
