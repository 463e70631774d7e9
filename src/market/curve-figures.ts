import type { Address } from '../chain/address.ts';
import { soldPercent } from '../token/curve-progress.ts';

export const VELOCITY_S = 300;
export const STALLED_S = 600;
/** A curve that is younger is taken to be so old: nobody knows what it does in a minute. */
const LEAST_AGE_S = 60;
const MINUTE_S = 60;
const PERCENT = 100;

/** How far a curve has come, and how fast. */
export interface CurveFigures {
  readonly mint: Address;
  /** As it is told of a token, percent with two decimals. */
  readonly progress: number;
  /** Share of its tokens that is left, as exact as a double is. */
  readonly unsold: number;
  /** Percent of its tokens a minute, over five minutes or its age. */
  readonly velocity: number;
  /** Seconds until it is sold out at this velocity; undefined when it does not come nearer. */
  readonly eta: number | undefined;
  /** It has sold no more than ten minutes ago. */
  readonly stalled: boolean;
}

/** What is left on a curve now, and what was left before the first swap of five minutes and of ten. Raw tokens. */
export interface CurveLeft {
  readonly mint: Address;
  readonly initial: bigint;
  readonly left: bigint;
  readonly beforeFive: bigint;
  readonly beforeTen: bigint;
  /** Seconds since it was born; infinite while nobody knows. */
  readonly age: number;
}

export function figuresOf({ mint, initial, left, beforeFive, beforeTen, age }: CurveLeft): CurveFigures {
  const velocity = velocityOf({ initial, left, before: beforeFive }, age);
  const stalled = left >= (age < STALLED_S ? initial : beforeTen);
  const unsold = shareOf(left, initial);
  const eta = stalled || velocity <= 0 ? undefined : ((unsold * PERCENT) / velocity) * MINUTE_S;
  return { mint, progress: soldPercent(initial, left), unsold, velocity, eta, stalled };
}

/** Percent a minute: since it was born, of a curve that is younger than five minutes. */
function velocityOf(
  { initial, left, before }: { readonly initial: bigint; readonly left: bigint; readonly before: bigint },
  age: number,
): number {
  const isYoung = age < VELOCITY_S;
  const sold = (isYoung ? initial : before) - left;
  const seconds = isYoung ? Math.max(age, LEAST_AGE_S) : VELOCITY_S;
  return ((shareOf(sold, initial) * PERCENT) / seconds) * MINUTE_S;
}

function shareOf(part: bigint, whole: bigint): number {
  return Number(part) / Number(whole);
}
