import { encodeAddress } from '../../src/chain/keys/base58.ts';
import type { EpochSchedule, Validator } from '../../src/leaders/epoch-schedule.ts';

/** The address of which every byte is this number. */
const identityOf = (number: number) => encodeAddress(new Uint8Array(32).fill(number + 1));

/** A validator of which nobody told anything but what a test says. */
export function validatorOf(number: number, told: Partial<Validator> = {}): Validator {
  return { identity: identityOf(number), stake: 1_000n, commission: 5, isDelinquent: false, ...told };
}

/** A schedule by turns: each names the place of the leader of the next slots, four of them unless `turn` says otherwise. */
export function scheduleOf(
  validators: readonly Validator[],
  turns: readonly number[],
  options: { epoch?: number; firstSlot?: number; turn?: number; slots?: number } = {},
): EpochSchedule {
  const { epoch = 7, firstSlot = 4_000, turn = 4 } = options;
  const slots = options.slots ?? turns.length * turn;
  const leaders = Uint16Array.from({ length: slots }, (_, index) => turns[Math.floor(index / turn) % turns.length]!);
  return { epoch, firstSlot, slots, validators, leaders };
}
