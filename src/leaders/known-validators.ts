import type { Address } from '../chain/address.ts';
import type { GossipNode } from '../chain/rpc/cluster-answers.ts';
import type { SeenVoter } from './cluster-reads.ts';
import type { Validator } from './epoch-schedule.ts';

/** Validators as they are known now, out of what nodes tell one after the other: what a later answer leaves out stays known. */
export interface KnownValidators {
  /** Takes the place of a leader of whom nobody has told anything. */
  of(identity: Address): Validator;
  /** Those that vote, and the leaders given, these first; then those that were admitted. With `isOver`, of an epoch that is over by the node's word. */
  listed(leaders: readonly Address[], isOver?: boolean): Validator[];
  /** What the store has: it gives way to whatever a node has told, unless that is of a later epoch. */
  recall(validators: readonly Validator[]): void;
  /** Takes in leaders that may neither vote nor lead any more: they are listed, and what is told of them is kept. */
  admit(leaders: readonly Address[]): void;
  see(voters: ReadonlyMap<Address, SeenVoter>): void;
  hear(nodes: ReadonlyMap<Address, GossipNode>): void;
  name(names: ReadonlyMap<Address, string>): void;
  /** Who shares tips, and who does not: of all others what was known before. */
  share(told: ReadonlyMap<Address, boolean>): void;
  /** Those that vote. */
  voters(): Iterable<SeenVoter>;
  /** Forgets whoever neither votes any more nor is among the leaders given. */
  forgetOthers(leaders: Iterable<Address>): void;
}

export function createKnownValidators(): KnownValidators {
  const recalled = new Map<Address, Validator>();
  const seen = new Map<Address, SeenVoter>();
  const admitted = new Set<Address>();
  // These may come before anybody is known whom they are of.
  let heard: ReadonlyMap<Address, GossipNode> = new Map();
  let names: ReadonlyMap<Address, string> = new Map();
  let sharing: ReadonlyMap<Address, boolean> = new Map();
  let voting: ReadonlySet<Address> = new Set();

  function of(identity: Address, isOver = false): Validator {
    const { ip, ...told } = heard.get(identity) ?? {};
    const name = names.get(identity);
    // Of an epoch that is over, those of a later one say nothing.
    const sharesTips = isOver ? undefined : sharing.get(identity);
    return {
      ...{ identity, stake: 0n, commission: 0, isDelinquent: false },
      ...recalled.get(identity),
      ...seen.get(identity),
      ...told,
      ...(ip === undefined ? {} : { gossipIp: ip }),
      ...(name === undefined ? {} : { name }),
      ...(sharesTips === undefined ? {} : { sharesTips }),
      ...(isOver ? recalled.get(identity) : {}),
    };
  }

  /** Of strangers only what the newest answer tells is kept: nobody would ever forget it. */
  function ofKnown<T>(before: ReadonlyMap<Address, T>): [Address, T][] {
    return [...before].filter(([identity]) => [seen, recalled, admitted].some((known) => known.has(identity)));
  }

  return {
    of: (identity) => of(identity),
    listed(leaders, isOver) {
      const all = new Set([...leaders, ...recalled.keys(), ...seen.keys(), ...admitted]);
      return [...all].map((identity) => of(identity, isOver));
    },
    recall(validators) {
      for (const validator of validators) recalled.set(validator.identity, validator);
    },
    admit(leaders) {
      for (const identity of leaders) admitted.add(identity);
    },
    see(voters) {
      voting = new Set(voters.keys());
      for (const [identity, voter] of voters) seen.set(identity, voter);
    },
    hear(nodes) {
      const next = new Map(ofKnown(heard));
      for (const [identity, node] of nodes) next.set(identity, { ...next.get(identity), ...node });
      heard = next;
    },
    name(told) {
      names = new Map([...ofKnown(names), ...told]);
    },
    share(told) {
      sharing = new Map([...ofKnown(sharing), ...told]);
    },
    voters: () => [...seen].flatMap(([identity, voter]) => (voting.has(identity) ? [voter] : [])),
    forgetOthers(leaders) {
      if (voting.size === 0) return;
      const kept = new Set([...voting, ...leaders]);
      for (const known of [recalled, seen, admitted]) {
        for (const identity of known.keys()) if (!kept.has(identity)) known.delete(identity);
      }
    },
  };
}

/** The later of two lists, with those that are as before; the earlier one itself when nothing of it is otherwise. */
export function renewed(before: readonly Validator[], now: readonly Validator[]): readonly Validator[] {
  const earlier = new Map(before.map((validator) => [validator.identity, validator]));
  const list = now.map((validator) => {
    const known = earlier.get(validator.identity);
    return known !== undefined && isSameValidator(known, validator) ? known : validator;
  });
  return list.length === before.length && list.every((validator, at) => validator === before[at]) ? before : list;
}

/** Whether two say the same of a validator. */
export function isSameValidator(a: Validator, b: Validator): boolean {
  return (
    a.vote === b.vote &&
    a.name === b.name &&
    a.version === b.version &&
    a.clientId === b.clientId &&
    a.stake === b.stake &&
    a.commission === b.commission &&
    a.isDelinquent === b.isDelinquent &&
    a.gossipIp === b.gossipIp &&
    a.sharesTips === b.sharesTips
  );
}
