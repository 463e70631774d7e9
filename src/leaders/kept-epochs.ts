import type { Address } from '../chain/address.ts';
import { type EpochSpan, isWithin } from '../chain/epochs.ts';
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
}

export function createKeptEpochs({ known, currentSlot, seenSlot, log }: KeptEpochsDeps): KeptEpochs {
  const epochs = new Map<number, KeptEpoch>();
  let changes = 0;

  function scheduleAt(slot: number): EpochSchedule | undefined {
    for (const { schedule } of epochs.values()) if (isWithin(schedule, slot)) return schedule;
    return undefined;
  }

  return {
    scheduleAt,
    leaderAt(slot) {
      const schedule = scheduleAt(slot);
      return schedule?.validators[schedule.leaders[slot - schedule.firstSlot]!];
    },
    keep({ span, leaders }) {
      const validators = known.listed(leaders.identities, isOver(span, seenSlot()));
      const schedule = { ...span, validators, leaders: leaders.places };
      epochs.set(span.epoch, { schedule, leading: leaders.identities, isTold: isWithin(span, seenSlot()) });
      changes += 1;
      log.info(
        { epoch: span.epoch, first_slot: span.firstSlot, leaders: leaders.identities.length },
        'leaders are known',
      );
    },
    tell() {
      let isNew = false;
      for (const [epoch, { schedule, leading, isTold }] of epochs) {
        const isBehindNode = isOver(schedule, seenSlot());
        if (isOver(schedule, currentSlot()) || (isTold && isBehindNode)) continue;
        const validators = renewed(schedule.validators, known.listed(leading, isBehindNode));
        const isSame = validators === schedule.validators;
        epochs.set(epoch, {
          schedule: isSame ? schedule : { ...schedule, validators },
          leading,
          isTold: isTold || isWithin(schedule, seenSlot()),
        });
        isNew ||= !isSame;
      }
      if (isNew) changes += 1;
    },
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
