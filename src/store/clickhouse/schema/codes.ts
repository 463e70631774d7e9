import type { AttemptOutcome } from '../../../facts/fact.ts';

/** What numbers in rows stand for. An empty text stands for an address that is not there. */

export { AMM, BONDING_CURVE, EQUITY } from '../../../facts/venue.ts';

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

const OUTCOMES: readonly AttemptOutcome[] = ['rejected', 'self_abort', 'failed_unknown'];

/** Counted from 1. */
export function outcomeCode(outcome: AttemptOutcome): number {
  return OUTCOMES.indexOf(outcome) + 1;
}

/** The way back. */
export function outcomeOf(code: number): AttemptOutcome {
  return OUTCOMES[code - 1] ?? 'failed_unknown';
}
