import type { Address } from '../chain/address.ts';
import type { SeenValidator } from './cluster-reads.ts';
import type { Validator } from './epoch-schedule.ts';

/** Validators as they are known now, out of what nodes tell one after the other: what a later answer leaves out stays known. */
export interface KnownValidators {
  /** Takes the place of a leader of whom nobody has told anything. */
  of(identity: Address): Validator;
  /** Those that vote, and the leaders given, these first. */
  listed(leaders: readonly Address[]): Validator[];
  /** What the store has: it gives way to whatever a node has told. */
  recall(validators: readonly Validator[]): void;
  see(seen: ReadonlyMap<Address, SeenValidator>): void;
  name(names: ReadonlyMap<Address, string>): void;
  /** Forgets whoever neither votes any more nor is among the leaders given. */
  forgetOthers(leaders: Iterable<Address>): void;
}

export function createKnownValidators(): KnownValidators {
  const known = new Map<Address, Validator>();
  let voting: ReadonlySet<Address> = new Set();

  const of = (identity: Address): Validator =>
    known.get(identity) ?? { identity, stake: 0n, commission: 0, isDelinquent: false };

  return {
    of,
    listed(leaders) {
      const first = new Set(leaders);
      return [...first, ...[...known.keys()].filter((identity) => !first.has(identity))].map(of);
    },
    recall(validators) {
      for (const validator of validators) {
        if (!known.has(validator.identity)) known.set(validator.identity, validator);
      }
    },
    see(seen) {
      voting = new Set(seen.keys());
      for (const [identity, validator] of seen) known.set(identity, { ...of(identity), ...validator });
    },
    name(names) {
      for (const [identity, name] of names) {
        const validator = known.get(identity);
        if (validator !== undefined) known.set(identity, { ...validator, name });
      }
    },
    forgetOthers(leaders) {
      const kept = new Set([...voting, ...leaders]);
      if (voting.size === 0) return;
      for (const identity of known.keys()) if (!kept.has(identity)) known.delete(identity);
    },
  };
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
