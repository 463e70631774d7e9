import type { CurveFacts } from '../../market/curve-book.ts';
import type { CurveFigures } from '../../market/curve-figures.ts';
import { initialTokens } from '../../token/curve-progress.ts';
import type { ListedToken } from '../../token/listed-reads.ts';
import { statusOf } from '../../token/state.ts';
import type { GraduatingSort } from './contract-limits.ts';

export interface GraduatingFilter {
  /** Least progress, percent with two decimals. */
  readonly min_progress: number;
  readonly sort: GraduatingSort;
  readonly limit: number;
  /** Prices of the last hour are told. */
  readonly spark?: boolean;
}

/** What a token's facts say of its curve: nothing that was for sale where it is complete, or graduated. */
export function curveFactsOf({ mint, facts }: ListedToken): CurveFacts {
  const { creation, completion, hydrated } = facts;
  const isOver =
    completion !== undefined || hydrated?.complete === true || statusOf({ mint, ...facts }) === 'graduated';
  return { initial: isOver ? undefined : initialTokens(creation ?? hydrated), bornAt: creation?.time || undefined };
}

/** Negative when `a` is listed before `b`. */
export const COMPARE_CURVES: Readonly<Record<GraduatingSort, (a: CurveFigures, b: CurveFigures) => number>> = {
  velocity: compareVelocity,
  eta: compareEta,
};

/** The fastest first; of equal ones the one that has come further. */
function compareVelocity(a: CurveFigures, b: CurveFigures): number {
  return b.velocity - a.velocity || compareProgress(a, b);
}

/** Those that are sold out soonest, then those that nobody knows it of. */
function compareEta(a: CurveFigures, b: CurveFigures): number {
  if (a.eta === undefined || b.eta === undefined) {
    return Number(a.eta === undefined) - Number(b.eta === undefined) || compareProgress(a, b);
  }
  return a.eta - b.eta || compareProgress(a, b);
}

function compareProgress(a: CurveFigures, b: CurveFigures): number {
  return a.unsold - b.unsold || (a.mint < b.mint ? -1 : 1);
}
