import { createPackAnswers, type PackAnswers } from '../../../src/features/pack/answers.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

/** Packs of the other doubles' answers, over a chain that stands still. */
export function packDouble(): PackAnswers {
  return createPackAnswers({ feed: { headSlot: 1 }, shelf: { epoch: 0 }, clock: systemClock });
}
