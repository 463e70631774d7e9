/** How much a step of work beside the service takes on: what the store does not take in time is halved until it fits. */
export interface StepSize {
  readonly now: number;
  /** A step failed: the next one is half as large. */
  failed(): void;
  /** A step went through: behind some of them twice as much is tried again. */
  went(): void;
}

/** So many steps in a row have to go through before twice as much is tried again: a step that fails takes the server long. */
const STEPS_TO_GROW = 16;

export function createStepSize({ least, most }: { readonly least: number; readonly most: number }): StepSize {
  let now = most;
  let inARow = 0;
  return {
    get now() {
      return now;
    },
    failed() {
      now = Math.max(least, now >> 1);
      inARow = 0;
    },
    went() {
      inARow += 1;
      if (inARow % STEPS_TO_GROW === 0) now = Math.min(most, now * 2);
    },
  };
}
