import { comparePlaces, type Place } from './place.ts';

/** An unbroken run of rows up to the newest one, oldest first. */
export interface RowSpan<T extends Place> {
  readonly rows: readonly T[];
  /** True when nothing older than the run exists. */
  readonly complete: boolean;
}

/** The newest rows of a kind, grown at the end and bounded by forgetting the oldest. */
export class RowTail<T extends Place> implements RowSpan<T> {
  readonly rows: T[];
  readonly #limit: number;
  #complete: boolean;

  /** `rows`, oldest first, are the newest there are; `complete` when they are all there are. */
  constructor(limit: number, rows: readonly T[], complete: boolean) {
    this.rows = [...rows];
    this.#limit = limit;
    this.#complete = complete;
  }

  get complete(): boolean {
    return this.#complete;
  }

  /** False, and nothing changed, when the row is not newer than the newest. */
  push(row: T): boolean {
    const last = this.rows.at(-1);
    if (last !== undefined && comparePlaces(last, row) >= 0) return false;
    this.rows.push(row);
    // Cut rarely: moving the whole array for every row would cost more than the rows themselves.
    if (this.rows.length >= this.#limit * 2) {
      this.rows.splice(0, this.rows.length - this.#limit);
      this.#complete = false;
    }
    return true;
  }
}

/** Index of the first row for which `isAfter` holds; the rows are ordered so that it holds for all later ones. */
export function firstIndex<T>(rows: readonly T[], isAfter: (row: T) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(rows[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
