import type { DocumentFault } from './documents.ts';

/** Seconds after each failed try, made a quarter shorter or longer by chance so that hosts are not asked in waves. */
const DELAYS_S = [5, 30, 120, 600, 3_600, 21_600] as const;
const SPREAD = 0.25;
/** After a try that nobody made. */
const BUSY_DELAY_S = 3;

/** Tries in all before there is none for good. A host that is down comes back; a document that is not there seldom does. */
const MAX_TRIES: Readonly<Record<Exclude<DocumentFault, 'busy'>, number>> = {
  unreachable: 7,
  gone: 4,
  unusable: 3,
  refused: 1,
};

export interface RetryPlan {
  /** Failed tries, this one included. */
  readonly tries: number;
  /** Seconds until the next one; undefined when there is none. */
  readonly afterS: number | undefined;
}

/** Plans the next try of a document that could not be read, after `tries` failures before. `random` is 0 to below 1. */
export function planRetry(fault: DocumentFault, tries: number, random: number): RetryPlan {
  if (fault === 'busy') return { tries, afterS: BUSY_DELAY_S };
  const failed = tries + 1;
  if (failed >= MAX_TRIES[fault]) return { tries: failed, afterS: undefined };
  const delay = DELAYS_S[Math.min(failed, DELAYS_S.length) - 1]!;
  return { tries: failed, afterS: Math.round(delay * (1 - SPREAD + 2 * SPREAD * random)) };
}
