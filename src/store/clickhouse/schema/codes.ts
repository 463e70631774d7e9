import type { AttemptOutcome } from '../../../facts/fact.ts';

/**
 * Meanings of numbers in rows, beside venues, which facts name alike. An empty text stands for an address that is not
 * there.
 */

/** Steps in which a table is filled in beside the service, counted by the first byte of mints: as many as `fill_steps` has of a table that is filled. */
export const FILL_STEPS = 256;

/** In columns of decimals: nobody has told yet. */
export const UNKNOWN_DECIMALS = 255;

/** In `bundled`. */
export const BUNDLED = 1;
export const BUNDLED_UNKNOWN = 2;

/** In the `side` of an attempt. */
export const SELL = 0;
export const BUY = 1;
export const SIDE_UNKNOWN = 2;

/** 0 no, 1 yes, 2 not known. */
export function answerCode(known: boolean | undefined): number {
  if (known === undefined) return 2;
  return known ? 1 : 0;
}

/** The way back. */
export function answerOf(code: number): boolean | undefined {
  return code === 2 ? undefined : code === 1;
}

const OUTCOMES = { rejected: 1, self_abort: 2, failed_unknown: 3 } as const satisfies Record<AttemptOutcome, number>;

const OUTCOME_NAMES = new Map<number, AttemptOutcome>(
  (Object.keys(OUTCOMES) as AttemptOutcome[]).map((name) => [OUTCOMES[name], name]),
);

export function outcomeCode(outcome: AttemptOutcome): number {
  return OUTCOMES[outcome];
}

/** The way back. A number that nobody writes is an outcome that nobody knows. */
export function outcomeOf(code: number): AttemptOutcome {
  return OUTCOME_NAMES.get(code) ?? 'failed_unknown';
}

/** In `budget_source`: the compute-budget instructions told it, a message of version 1 did by itself, or no wire did. */
export const BUDGET_OF_INSTRUCTIONS = 0;
export const BUDGET_OF_MESSAGE = 1;
export const BUDGET_UNAVAILABLE = 2;
