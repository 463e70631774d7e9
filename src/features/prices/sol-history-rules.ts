import { MAX_SOL_HISTORY_POINTS, SOL_HISTORY_STEPS, type SolHistoryStep } from './contract-limits.ts';

/** Which steps of the price of SOL are asked for, pure. Times are Unix seconds. */

/** The store counts seconds from 1970 to 2106. */
const LAST_SECOND = 2 ** 32 - 1;

export interface SolHistoryFilter {
  readonly step: SolHistoryStep;
  readonly from: number | undefined;
  /** Exclusive. */
  readonly to: number | undefined;
}

/** Steps that begin in it; both ends are beginnings of steps. */
export interface SolHistorySpan {
  readonly from: number;
  readonly to: number;
  /** Seconds. */
  readonly step: number;
}

/** Undefined when it has more than {@link MAX_SOL_HISTORY_POINTS} steps. `now`: where it ends when nothing says so. */
export function solHistorySpan({ step: name, from, to }: SolHistoryFilter, now: number): SolHistorySpan | undefined {
  const { seconds: step, points } = SOL_HISTORY_STEPS[name];
  const end = Math.ceil(bounded(to ?? now + 1) / step) * step;
  const begin = Math.floor(bounded(from ?? end - points * step) / step) * step;
  if (end - begin > MAX_SOL_HISTORY_POINTS * step) return undefined;
  return { from: begin, to: Math.max(begin, Math.min(end, LAST_SECOND)), step };
}

function bounded(seconds: number): number {
  return Math.min(Math.max(0, seconds), LAST_SECOND);
}
