import { type Address, ZERO_ADDRESS } from '../chain/address.ts';
import type { EpochRule, EpochSpan } from '../chain/epochs.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import { type Account, MAX_ACCOUNTS_PER_CALL, readMultipleAccounts } from '../chain/rpc/account-answers.ts';
import { type GossipNode, readClusterNodes, readVoteAccounts, type Voter } from '../chain/rpc/cluster-answers.ts';
import {
  type EpochLeaders,
  readEpochInfoSlot,
  readEpochSchedule,
  readLeaderSchedule,
} from '../chain/rpc/epoch-answers.ts';
import { asList } from '../chain/rpc/rpc-shapes.ts';
import { CONFIG_PROGRAM } from '../chain/well-known.ts';
import type { Journal } from '../kernel/journal.ts';
import { readValidatorInfo, VALIDATOR_INFO_KEY, VALIDATOR_INFO_OFFSET } from '../programs/config/validator-info.ts';
import {
  readTipDistribution,
  TIP_DISTRIBUTION_BYTES,
  TIP_DISTRIBUTION_PROGRAM,
  tipDistributionAddress,
} from '../programs/tip-distribution/accounts.ts';
import { shownName } from '../token/shown-name.ts';
import type { Validator } from './epoch-schedule.ts';

/** A node of the cluster, real or simulated. Rejects when it does not answer. */
export interface ClusterNode {
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}

/** What a validator is by its votes. */
export type SeenVoter = Voter & Pick<Validator, 'identity'>;

/** Questions to the cluster. Each rejects with the node's faults, or with MalformedWire for an answer that is none. */
export interface ClusterReads {
  rule(signal: AbortSignal): Promise<EpochRule>;
  newestSlot(signal: AbortSignal): Promise<number>;
  /** Undefined while the node does not know the epoch. */
  leaders(span: EpochSpan, signal: AbortSignal): Promise<EpochLeaders | undefined>;
  /** All that vote. */
  voters(signal: AbortSignal): Promise<ReadonlyMap<Address, SeenVoter>>;
  /** Nodes as gossip knows them: more than vote. */
  gossip(signal: AbortSignal): Promise<ReadonlyMap<Address, GossipNode>>;
  /** Names that validators have given themselves, fit to be shown. */
  names(signal: AbortSignal): Promise<ReadonlyMap<Address, string>>;
  /** Those of the vote accounts that have an account where the tips of an epoch are gathered: a call for each hundred. */
  tipAccounts(epoch: number, votes: readonly Address[], signal: AbortSignal): Promise<ReadonlySet<Address>>;
}

/** For one answer, the wait for a node that wants fewer calls included. */
const TIMEOUT_MS = 60_000;
/** Names and votes. */
const COMMITMENT = { commitment: 'confirmed' } as const;
/** Mainnet has some 3,000 such accounts, of 643 bytes. */
const MAX_INFO_ACCOUNTS = 50_000;
const MAX_INFO_BYTES = 4_096;
/** Characters of a name; the program's own tool takes 80. */
const MAX_NAME = 80;
const INFO_OPTIONS = {
  ...COMMITMENT,
  encoding: 'base64',
  dataSlice: { offset: 0, length: MAX_INFO_BYTES },
  filters: [{ memcmp: { offset: VALIDATOR_INFO_OFFSET, bytes: VALIDATOR_INFO_KEY, encoding: 'base58' } }],
} as const;

const TIP_OPTIONS = {
  ...COMMITMENT,
  encoding: 'base64',
  dataSlice: { offset: 0, length: TIP_DISTRIBUTION_BYTES },
} as const;

export function createClusterReads(node: ClusterNode, journal: Journal): ClusterReads {
  const call = (method: string, params: readonly unknown[], signal: AbortSignal) =>
    node.call(method, params, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));

  return {
    rule: async (signal) => readEpochSchedule(await call('getEpochSchedule', [], signal)),
    newestSlot: async (signal) => readEpochInfoSlot(await call('getEpochInfo', [COMMITMENT], signal)),
    leaders: async ({ firstSlot, slots }, signal) =>
      readLeaderSchedule(await call('getLeaderSchedule', [firstSlot], signal), slots),
    async voters(signal) {
      const voters = readVoteAccounts(await call('getVoteAccounts', [COMMITMENT], signal), journal);
      if (voters.size === 0) throw new MalformedWire('nobody votes');
      return new Map([...voters].map(([identity, voter]) => [identity, { identity, ...voter }]));
    },
    gossip: async (signal) => readClusterNodes(await call('getClusterNodes', [], signal), journal),
    names: async (signal) => readNames(await call('getProgramAccounts', [CONFIG_PROGRAM, INFO_OPTIONS], signal)),
    async tipAccounts(epoch, votes, signal) {
      const found = new Set<Address>();
      for (let at = 0; at < votes.length; at += MAX_ACCOUNTS_PER_CALL) {
        const asked = votes.slice(at, at + MAX_ACCOUNTS_PER_CALL);
        const keys = asked.map((vote) => tipDistributionAddress(vote, epoch));
        const result = await call('getMultipleAccounts', [keys, TIP_OPTIONS], signal);
        const { accounts } = readMultipleAccounts(result, keys.length);
        for (const [place, vote] of asked.entries()) if (isTipAccountOf(vote, accounts[place])) found.add(vote);
      }
      return found;
    },
  };
}

/** Anybody may send lamports to an address; only the program makes an account of its own of it. */
function isTipAccountOf(vote: Address, account: Account | undefined): boolean {
  return account?.owner === TIP_DISTRIBUTION_PROGRAM && readTipDistribution(account.data) === vote;
}

interface InfoAccount {
  readonly pubkey?: unknown;
  readonly account?: { readonly owner?: unknown; readonly data?: unknown } | null;
}

/** Anybody may write such accounts for an identity of theirs: what is odd is nobody's name. */
function readNames(json: unknown): ReadonlyMap<Address, string> {
  const rows = asList(json, 'accounts of validators') as readonly (InfoAccount | null)[];
  if (rows.length > MAX_INFO_ACCOUNTS) throw new MalformedWire(`${rows.length} accounts of validators`);
  const names = new Map<Address, string>();
  const last = new Map<Address, string>();
  for (const row of rows) {
    const { pubkey, account } = row ?? {};
    const text: unknown = Array.isArray(account?.data) ? account.data[0] : undefined;
    if (typeof pubkey !== 'string' || typeof text !== 'string' || account?.owner !== CONFIG_PROGRAM) continue;
    const info = readValidatorInfo(Buffer.from(text, 'base64'));
    const name = info && shownName(info.name.slice(0, MAX_NAME)).trim();
    // Of several accounts of one identity always the same one, in whichever order a node tells them.
    if (!name || info.identity === ZERO_ADDRESS || pubkey <= (last.get(info.identity) ?? '')) continue;
    last.set(info.identity, pubkey);
    names.set(info.identity, name);
  }
  return names;
}
