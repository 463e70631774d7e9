import { jsonBody, timeText } from '../../books/json-text.ts';
import { createStampMemo } from '../../books/stamp-memo.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { CurveFigures } from '../../market/curve-book.ts';
import type { CurvesAsked, FollowedCurves } from '../../market/followed-curves.ts';
import type { Market } from '../../market/market.ts';
import { windowFigures } from '../../market/window-figures.ts';
import type { UnbrokenReader, WholeSince } from '../../token/history.ts';
import { listRow } from '../../token/list-row.ts';
import { notSettled } from '../../token/settled.ts';
import type { GraduatingRow } from './contract-market.ts';
import { curveFactsOf, type GraduatingFilter, rankCurves } from './graduating-rules.ts';
import { type ListedRows, type ListedRowsDeps, openListedRows } from './listed-rows.ts';

export interface GraduatingDeps extends ListedRowsDeps {
  readonly market: Market;
  readonly curves: FollowedCurves;
  readonly unbroken: UnbrokenReader;
  readonly wholeSince: WholeSince;
  /** Dollars per SOL, undefined while unknown. */
  readonly solUsd: () => number | undefined;
}

/** Tokens on curves in SOL by how soon they are sold out. */
export interface Graduating {
  /**
   * @throws {ApiError} `warming_up` while windows or curves are being read, `storage_unavailable` when blocks come faster
   *   than the answer can be made as of one slot.
   */
  list(filter: GraduatingFilter): Promise<Buffer>;
}

/** Different questions that are kept until the next block. */
const KEPT_LISTS = 200;
/** Tokens whose facts are learnt together, at least. */
const LEARNT_TOGETHER = 100;
/** Times that facts are learnt for one question: what is known then stays known for the next. */
const ROUNDS = 50;
const HOUR_S = 3_600;
const VELOCITY_DIGITS = 4;

export function createGraduating(deps: GraduatingDeps): Graduating {
  const { market, curves, solUsd } = deps;
  const lists = createStampMemo<Buffer>(KEPT_LISTS);
  return {
    list(filter) {
      const usd = solUsd();
      return lists.get(JSON.stringify(filter), `${curves.version} ${market.version} ${usd}`, () =>
        makeList(deps, filter, usd),
      );
    },
  };
}

async function makeList(deps: GraduatingDeps, filter: GraduatingFilter, usd: number | undefined): Promise<Buffer> {
  const { market, curves } = deps;
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const [slots, kept] = await Promise.all([deps.unbroken(), deps.wholeSince()]);
  const begun = Math.max(slots?.since ?? 0, kept.get('swaps') ?? 0);
  let isLearning = false;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const windows = await market.open();
    const asked = await curves.get();
    const { version } = curves;
    const ranked = rankCurves(asked.book.figures(windows.now), filter);
    const known = ranked.slice(0, Math.max(filter.limit, LEARNT_TOGETHER));
    const rows = await openListedRows(
      deps,
      known.map(({ mint }) => mint),
    );
    if (rows?.windows !== windows || curves.version !== version) continue;
    isLearning = learn(asked, rows);
    if (isLearning) continue;
    const data = graduatingRows(rows, known.slice(0, filter.limit), { usd, spark: filter.spark });
    const since = begun > windows.now - HOUR_S ? timeText(begun) : undefined;
    return stampBody(jsonBody({ data, since }), Math.min(asked.slot, rows.slot));
  }
  if (isLearning) throw new ApiError('warming_up', { message: 'what is known of curves is being read' });
  throw notSettled();
}

/** Tells the curves what the facts of their tokens say. True when that was something new: others may be on top. */
function learn({ book }: CurvesAsked, { tokens }: ListedRows): boolean {
  let isNew = false;
  for (const token of tokens) isNew = book.learn(token.mint, curveFactsOf(token)) || isNew;
  return isNew;
}

function graduatingRows(
  { tokens, windows }: ListedRows,
  shown: readonly CurveFigures[],
  { usd, spark }: { readonly usd: number | undefined; readonly spark: boolean | undefined },
): Written<GraduatingRow>[] {
  return shown.flatMap(({ mint, velocity, eta, stalled }, place) => {
    const row = listRow(tokens[place]!, windowFigures(windows, mint, spark), usd);
    const { curve_progress_pct } = row;
    if (curve_progress_pct === undefined) return [];
    return {
      ...row,
      progress_pct: curve_progress_pct,
      velocity_pct_per_min: Number(velocity.toFixed(VELOCITY_DIGITS)),
      eta_s: eta === undefined ? undefined : Math.ceil(eta),
      stalled,
    };
  });
}
