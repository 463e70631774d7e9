import type { Address } from '../chain/address.ts';
import type { EpochSchedule, Validator } from './epoch-schedule.ts';
import { isSameValidator } from './known-validators.ts';
import type { LeaderStore } from './leader-store.ts';

/** Writes what is known of an epoch's validators, of each again only when it is otherwise. Rejects with the store's faults. */
export function createValidatorSaves(store: Pick<LeaderStore, 'saveValidators'>) {
  /** Written to the store as it stands here. */
  const saved = new Map<Address, Validator>();
  let savedEpoch = -1;
  return {
    async save({ epoch, validators }: EpochSchedule): Promise<void> {
      if (epoch !== savedEpoch) saved.clear();
      const changed = validators.filter((validator) => {
        const before = saved.get(validator.identity);
        return before === undefined || !isSameValidator(before, validator);
      });
      await store.saveValidators(epoch, changed);
      savedEpoch = epoch;
      for (const validator of changed) saved.set(validator.identity, validator);
    },
  };
}
