import type { Place } from '../../books/place.ts';

/** A page of transfers out of the rows behind its cursor. */
export interface TransferCut<T> {
  readonly shown: readonly T[];
  /** The first row that is not shown; undefined when there is none. */
  readonly next: T | undefined;
}

/**
 * The newest `limit` rows that are not older than Unix second `oldest`. A row
 * whose time nobody told is as old as its neighbours. `rows`, newest first, are
 * all there are or more than `limit`.
 */
export function cutTransfers<T extends Pick<Place, 'time'>>(
  rows: readonly T[],
  limit: number,
  oldest: number,
): TransferCut<T> {
  const tooOld = rows.findIndex(({ time }) => time !== 0 && time < oldest);
  const shown = rows.slice(0, Math.min(limit, tooOld === -1 ? rows.length : tooOld));
  return { shown, next: rows[shown.length] };
}
