import type { Address } from '../chain/address.ts';
import type { EpochSpan } from '../chain/epochs.ts';
import type { ClusterReads, SeenVoter } from './cluster-reads.ts';
import type { EpochSchedule } from './epoch-schedule.ts';

/** Who shares the tips of bundles, by the accounts where the tips of an epoch are gathered. */
export interface TipSharing {
  /**
   * Asks for the accounts of those of whom none was seen in the epoch yet, and gives by identity what that tells: true for
   * an account, false for somebody who has led long enough to have one. Of all others it tells nothing.
   */
  ask(moment: TipMoment, voters: Iterable<SeenVoter>, signal: AbortSignal): Promise<ReadonlyMap<Address, boolean>>;
}

export interface TipMoment {
  readonly span: EpochSpan;
  /** Where the node was, within the span. */
  readonly slot: number;
  /** Of the span; undefined while it is not known. */
  readonly schedule: EpochSchedule | undefined;
}

/** Of more validators those with the most stake are asked for. Mainnet has some 1,000. */
const MAX_ASKED = 5_000;
/**
 * Slots that somebody has led without an account before it is taken that there will be none: a client makes it in the first
 * slot with a bundle, and single turns may be missed or without one.
 */
const ENOUGH_LED = 12;
/** Slots behind the node that do not count: their blocks may be still to come. */
const SETTLING_SLOTS = 150;

export function createTipSharing(cluster: Pick<ClusterReads, 'tipAccounts'>): TipSharing {
  let epoch = -1;
  /** Vote accounts whose account was seen in the epoch: it stays. */
  const paying = new Set<Address>();
  return {
    async ask({ span, slot, schedule }, voters, signal) {
      if (span.epoch !== epoch) paying.clear();
      epoch = span.epoch;
      const asked = [...voters]
        .sort((a, b) => (a.stake > b.stake ? -1 : a.stake < b.stake ? 1 : 0))
        .slice(0, MAX_ASKED);
      const missing = asked.filter(({ vote }) => !paying.has(vote)).map(({ vote }) => vote);
      for (const vote of await cluster.tipAccounts(epoch, missing, signal)) paying.add(vote);
      const led = schedule && ledUntil(schedule, slot - SETTLING_SLOTS);
      const told = new Map<Address, boolean>();
      for (const { identity, vote, isDelinquent } of asked) {
        if (paying.has(vote)) told.set(identity, true);
        else if (!isDelinquent && (led?.get(identity) ?? 0) >= ENOUGH_LED) told.set(identity, false);
      }
      return told;
    },
  };
}

/** Slots of the epoch that each leader has led before a slot. */
function ledUntil({ firstSlot, leaders, validators }: EpochSchedule, end: number): ReadonlyMap<Address, number> {
  const counts = new Uint32Array(validators.length);
  for (const place of leaders.subarray(0, Math.max(0, end - firstSlot))) counts[place]! += 1;
  return new Map(validators.map(({ identity }, place) => [identity, counts[place]!]));
}
