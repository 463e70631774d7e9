import type { Address } from '../../chain/address.ts';
import type { CurveBook, CurveMoment } from '../../market/curve-book.ts';
import type { CurveFigures } from '../../market/curve-figures.ts';
import { sortInPortions } from '../../market/portioned-sort.ts';
import type { Portions } from '../../market/portions.ts';
import type { GraduatingSort } from './contract-limits.ts';
import { COMPARE_CURVES, type GraduatingFilter } from './graduating-rules.ts';

/** Curves that are looked at between two turns of others. */
const CURVES_AT_ONCE = 200;

/** All curves that are listed at a moment, in both orders: every question for a list takes its part of them. */
export class CurveRanking {
  readonly book: CurveBook;
  readonly #moment: CurveMoment;
  readonly #orders: Record<GraduatingSort, CurveFigures[]> = { velocity: [], eta: [] };

  private constructor(book: CurveBook, moment: CurveMoment) {
    this.book = book;
    this.#moment = moment;
  }

  /** Ranks them in portions. What comes meanwhile is in a later ranking. */
  static async of(book: CurveBook, moment: CurveMoment, portions: Portions): Promise<CurveRanking> {
    const ranking = new CurveRanking(book, moment);
    const all: CurveFigures[] = [];
    let looked = 0;
    for (const mint of [...book.mints()]) {
      looked += 1;
      if (looked % CURVES_AT_ONCE === 0) await portions.turn();
      const figures = book.figures(mint, moment);
      if (figures !== undefined) all.push(figures);
    }
    for (const sort of ['velocity', 'eta'] as const) {
      ranking.#orders[sort] = await sortInPortions(all, COMPARE_CURVES[sort], portions);
    }
    return ranking;
  }

  /** The first ones of at least so much progress. */
  first({ sort, min_progress }: Omit<GraduatingFilter, 'limit'>, count: number): Address[] {
    const mints: Address[] = [];
    for (const { mint, progress } of this.#orders[sort]) {
      if (mints.length === count) break;
      if (progress >= min_progress) mints.push(mint);
    }
    return mints;
  }

  /** Ranks tokens again of which something else is known now. */
  relearn(mints: readonly Address[]): void {
    const gone = new Set(mints);
    const figures = mints.flatMap((mint) => this.book.figures(mint, this.#moment) ?? []);
    for (const sort of ['velocity', 'eta'] as const) {
      const kept = this.#orders[sort].filter(({ mint }) => !gone.has(mint));
      for (const each of figures) kept.splice(placeOf(kept, each, COMPARE_CURVES[sort]), 0, each);
      this.#orders[sort] = kept;
    }
  }
}

/** Where an item belongs in a list in order. */
function placeOf<T>(list: readonly T[], item: T, compare: (a: T, b: T) => number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(list[middle]!, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
