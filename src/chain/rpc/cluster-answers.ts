import { normalizeIp } from '../../kernel/ip-address.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Address } from '../address.ts';
import { parseAddress } from '../keys/base58.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { asCount, asList, asObject, asU64 } from './rpc-shapes.ts';

/** A node as gossip knows it. What it does not tell is absent. */
export interface GossipNode {
  readonly version?: string;
  /** The client's number in the version message. */
  readonly clientId?: number;
  /** Without its port. */
  readonly ip?: string;
}

/** What the votes of an identity tell: its vote accounts together, where it has several. */
export interface Voter {
  /** The one with the most stake. */
  readonly vote: Address;
  /** Lamports. */
  readonly stake: bigint;
  /** Percent. */
  readonly commission: number;
  readonly isDelinquent: boolean;
}

const SUBJECT = 'rpc-cluster';
/** Mainnet has some 5,000 nodes and 1,000 vote accounts. */
const MAX_ROWS = 50_000;
/** As nodes name the clients that they know, in the order of their numbers. */
const CLIENT_NAMES: readonly string[] = [
  ...['SolanaLabs', 'JitoLabs', 'Frankendancer', 'Agave', 'AgavePaladin', 'Firedancer', 'AgaveBam', 'Sig', 'Rakurai'],
  ...['HarmonicFiredancer', 'HarmonicAgave', 'HarmonicFrankendancer', 'FireBAM', 'Raiku'],
];
const NUMBERED_CLIENT = /^(?:Unknown\()?(\d{1,5})\)?$/;
const MAX_CLIENT_ID = 0xffff;
/** Anybody may call their version what they like. */
const VERSION = /^[\w.+-]{1,40}$/;
const PORT = /:\d{1,5}$/;

/** Reads the result of getClusterNodes. A row without an identity is noted and left out; one that is odd tells less. */
export function readClusterNodes(json: unknown, journal: Journal): ReadonlyMap<Address, GossipNode> {
  const nodes = new Map<Address, GossipNode>();
  readRows(rowsOf(json, 'cluster nodes'), journal, (row) => {
    const { pubkey, gossip, version, clientId } = row;
    const ip = typeof gossip === 'string' ? ipOf(gossip) : undefined;
    const client = clientNumber(clientId);
    nodes.set(asAddress(pubkey, 'identity'), {
      ...(typeof version === 'string' && VERSION.test(version) ? { version } : {}),
      ...(client === undefined ? {} : { clientId: client }),
      ...(ip === undefined ? {} : { ip }),
    });
  });
  return nodes;
}

/** Reads the result of getVoteAccounts, by identity. A malformed row is noted and left out. */
export function readVoteAccounts(json: unknown, journal: Journal): ReadonlyMap<Address, Voter> {
  const { current, delinquent } = asObject<{ current?: unknown; delinquent?: unknown }>(json, 'vote accounts');
  const voters = new Map<Address, Voter>();
  const largest = new Map<Address, bigint>();
  const read = (list: unknown, isDelinquent: boolean) =>
    readRows(rowsOf(list, 'vote accounts'), journal, (row) => {
      const identity = asAddress(row.nodePubkey, 'identity');
      const vote = asAddress(row.votePubkey, 'vote account');
      const stake = asU64(row.activatedStake, 'stake');
      const commission = commissionOf(row);
      const known = voters.get(identity);
      const isLarger = known === undefined || stake > largest.get(identity)!;
      if (isLarger) largest.set(identity, stake);
      const shown = isLarger ? { vote, commission, isDelinquent } : known;
      voters.set(identity, { ...shown, stake: stake + (known?.stake ?? 0n) });
    });
  read(current, false);
  read(delinquent, true);
  return voters;
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(json: unknown, what: string): readonly unknown[] {
  const rows = asList(json, what);
  if (rows.length > MAX_ROWS) throw new MalformedWire(`${rows.length} ${what}`);
  return rows;
}

/** One bad row must not cost the list: how many there were is noted once. */
function readRows(rows: readonly unknown[], journal: Journal, read: (row: Row) => void): void {
  let malformed = 0;
  let first = '';
  for (const row of rows) {
    try {
      read(asObject<Row>(row, 'a row'));
    } catch (error) {
      if (!(error instanceof MalformedWire)) throw error;
      if (malformed === 0) first = error.message;
      malformed += 1;
    }
  }
  if (malformed === 0) return;
  journal.note({ code: 'malformed_validator', subject: SUBJECT, detail: { malformed, rows: rows.length, first } });
  // Half of a list is none.
  if (malformed > rows.length / 2) throw new MalformedWire(`${malformed} of ${rows.length} rows: ${first}`);
}

function asAddress(json: unknown, what: string): Address {
  const address = typeof json === 'string' ? parseAddress(json) : undefined;
  if (address === undefined) throw new MalformedWire(`${what} is no address`);
  return address;
}

/** Newer nodes may tell basis points alone. */
function commissionOf({ commission, inflationRewardsCommissionBps }: Row): number {
  const isPercent = commission !== undefined && commission !== null;
  const percent = isPercent
    ? asCount(commission, 'commission')
    : Math.round(asCount(inflationRewardsCommissionBps, 'commission') / 100);
  if (percent > 100) throw new MalformedWire('a commission of more than all');
  return percent;
}

function ipOf(gossip: string): string | undefined {
  return normalizeIp(gossip.replace(PORT, '').replace(/^\[(.+)\]$/, '$1'));
}

/** A name, a number, or the number of a client that the node has no name for. */
function clientNumber(json: unknown): number | undefined {
  const text = typeof json === 'number' ? String(json) : json;
  if (typeof text !== 'string') return undefined;
  const named = CLIENT_NAMES.indexOf(text);
  if (named >= 0) return named;
  const number = Number(NUMBERED_CLIENT.exec(text)?.[1] ?? Number.NaN);
  return number <= MAX_CLIENT_ID ? number : undefined;
}
