import type { Address } from '../chain/address.ts';
import { type EpochSpan, isWithin } from '../chain/epochs.ts';
import type { EpochLeaders } from '../chain/rpc/epoch-answers.ts';
import type { Logger } from '../kernel/log.ts';
import type { EpochSchedule, Validator } from './epoch-schedule.ts';
import { type KnownValidators, renewed } from './known-validators.ts';
import type { StoredEpoch } from './turn-rows.ts';

/** The schedules in memory: of the epoch that it is, the one before and, soon, the next one. */
export interface KeptEpochs {
  scheduleAt(slot: number): EpochSchedule | undefined;
  leaderAt(slot: number): Validator | undefined;
  /** Keeps a schedule, with what is known of its validators. */
  keep(epoch: StoredEpoch): void;
  /**
   * Keeps one of an epoch that was over before anybody here saw its validators, with what is stored of these from then.
   * Of its other leaders it tells what is known now, and so do the schedules that are not over: they are stored with them.
   */
  keepPast(epoch: StoredEpoch, stored: readonly Validator[]): void;
  /** Schedules say of their validators what is known now; those of epochs that are over, what was known in them. */
  tell(): void;
  /** Lets go of all epochs but those around this one. The one before stays: windows around now reach into it. */
  letGo(current: number): void;
  /** Changes so far of what the schedules say. */
  readonly changes: number;
}

export interface KeptEpochsDeps {
  readonly known: KnownValidators;
  /** Where the service is. */
  readonly currentSlot: () => number;
  /** Where the node was when its votes had been told, -1 before. */
  readonly seenSlot: () => number;
  readonly log: Pick<Logger, 'info'>;
}

interface KeptEpoch {
  readonly schedule: EpochSchedule;
  /** Its leaders, as they stand first among its validators. */
  readonly leading: readonly Address[];
  /** The node has told of its validators while it was in the epoch. */
  readonly isTold: boolean;
  /** What alone was known in it, of an epoch that was over when it was kept. */
  readonly stored?: ReadonlyMap<Address, Validator>;
}

export function createKeptEpochs({ known, currentSlot, seenSlot, log }: KeptEpochsDeps): KeptEpochs {
  const epochs = new Map<number, KeptEpoch>();
  let changes = 0;

  function scheduleAt(slot: number): EpochSchedule | undefined {
    for (const { schedule } of epochs.values()) if (isWithin(schedule, slot)) return schedule;
    return undefined;
  }

  function listed(span: EpochSpan, leading: readonly Address[], stored: KeptEpoch['stored']): readonly Validator[] {
    if (stored === undefined) return known.listed(leading, isOver(span, seenSlot()));
    return [...new Set([...leading, ...stored.keys()])].map((identity) => stored.get(identity) ?? known.of(identity));
  }

  /** Undefined of an epoch whose validators stay as they are told. */
  function validatorsNow({ schedule, leading, isTold, stored }: KeptEpoch): readonly Validator[] | undefined {
    const isPast = isOver(schedule, currentSlot()) || (isTold && isOver(schedule, seenSlot()));
    return isPast && stored === undefined ? undefined : listed(schedule, leading, stored);
  }

  function put(span: EpochSpan, { identities: leading, places }: EpochLeaders, stored?: KeptEpoch['stored']): void {
    const schedule = { ...span, validators: listed(span, leading, stored), leaders: places };
    const isTold = isWithin(span, seenSlot());
    epochs.set(span.epoch, { schedule, leading, isTold, ...(stored && { stored }) });
    changes += 1;
    log.info({ epoch: span.epoch, first_slot: span.firstSlot, leaders: leading.length }, 'leaders are known');
  }

  function tell(): void {
    let isNew = false;
    for (const [epoch, kept] of epochs) {
      const { schedule } = kept;
      const now = validatorsNow(kept);
      if (now === undefined) continue;
      const validators = renewed(schedule.validators, now);
      const isSame = validators === schedule.validators;
      epochs.set(epoch, {
        ...kept,
        schedule: isSame ? schedule : { ...schedule, validators },
        isTold: kept.isTold || isWithin(schedule, seenSlot()),
      });
      isNew ||= !isSame;
    }
    if (isNew) changes += 1;
  }

  return {
    scheduleAt,
    leaderAt(slot) {
      const schedule = scheduleAt(slot);
      return schedule?.validators[schedule.leaders[slot - schedule.firstSlot]!];
    },
    keep: ({ span, leaders }) => put(span, leaders),
    keepPast({ span, leaders }, stored) {
      const ofThen = new Map(stored.map((validator) => [validator.identity, validator]));
      known.admit(leaders.identities.filter((identity) => !ofThen.has(identity)));
      put(span, leaders, ofThen);
      tell();
    },
    tell,
    letGo(current) {
      let gone = false;
      for (const epoch of epochs.keys()) {
        if (epoch >= current - 1 && epoch <= current + 1) continue;
        epochs.delete(epoch);
        gone = true;
      }
      if (gone) known.forgetOthers([...epochs.values()].flatMap(({ leading }) => leading));
    },
    get changes() {
      return changes;
    },
  };
}

function isOver({ firstSlot, slots }: EpochSpan, slot: number): boolean {
  return firstSlot + slots <= slot;
}
