import { jsonBody, timeText } from '../../books/json-text.ts';
import { createStampMemo } from '../../books/stamp-memo.ts';
import type { Address } from '../../chain/address.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { CurveBook } from '../../market/curve-book.ts';
import type { CurveFigures } from '../../market/curve-figures.ts';
import type { FollowedCurves } from '../../market/followed-curves.ts';
import type { Market } from '../../market/market.ts';
import { Portions } from '../../market/portions.ts';
import { wholeFrom } from '../../market/whole-market.ts';
import { windowFigures } from '../../market/window-figures.ts';
import { readerNow } from '../../store/reads/reader.ts';
import type { UnbrokenReader, WholeSince } from '../../token/history.ts';
import { listRow } from '../../token/list-row.ts';
import { notSettled } from '../../token/settled.ts';
import type { GraduatingRow } from './contract-market.ts';
import { CurveRanking } from './curve-ranking.ts';
import { COMPARE_CURVES, curveFactsOf, type GraduatingFilter } from './graduating-rules.ts';
import { type ListedRows, type ListedRowsDeps, openListedRows } from './listed-rows.ts';

export interface GraduatingDeps extends ListedRowsDeps {
  readonly market: Market;
  readonly clock: Clock;
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
  list(filter: GraduatingFilter): Buffer | Promise<Buffer>;
}

/** Different questions that are kept until the next block. */
const KEPT_LISTS = 200;
/** Tokens whose facts are learnt together, at least. */
const LEARNT_TOGETHER = 100;
/** Times that facts are learnt for one question: what is known then stays known for the next. */
const ROUNDS = 50;
/** Times that curves are looked for again, when blocks come while rows are read: what is shown is of the newest anyway. */
const RANKINGS = 4;
const HOUR_S = 3_600;
const VELOCITY_DIGITS = 4;

export function createGraduating(deps: GraduatingDeps): Graduating {
  const { feed, market, curves, clock, solUsd } = deps;
  const lists = createStampMemo<Buffer>(KEPT_LISTS);
  const rankings = createStampMemo<CurveRanking>(1);

  /** All curves in order, ranked once for all questions between two blocks. */
  async function rank(book: CurveBook, now: number): Promise<CurveRanking> {
    const moment = { now, slot: Math.max(feed.headSlot, feed.committedSlot) };
    return rankings.get('', `${curves.version} ${now}`, () =>
      CurveRanking.of(book, moment, new Portions(clock, readerNow())),
    );
  }

  return {
    list(filter) {
      const usd = solUsd();
      return lists.get(JSON.stringify(filter), `${curves.version} ${market.version} ${usd}`, () =>
        makeList({ ...deps, rank }, filter, usd),
      );
    },
  };
}

interface ListDeps extends GraduatingDeps {
  readonly rank: (book: CurveBook, now: number) => Promise<CurveRanking>;
}

async function makeList(deps: ListDeps, filter: GraduatingFilter, usd: number | undefined): Promise<Buffer> {
  const { market, curves } = deps;
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const [slots, kept] = await Promise.all([deps.unbroken(), deps.wholeSince()]);
  const begun = Math.max(slots?.since ?? 0, kept.get('swaps') ?? 0);
  let isLearning = false;
  let rankings = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const windows = await market.open();
    const before = wholeFrom(market, Math.max(begun, curves.wholeSince));
    const book = await curves.get();
    const { version } = curves;
    const ranking = await deps.rank(book, windows.now);
    const mints = ranking.first(filter, Math.max(filter.limit, LEARNT_TOGETHER));
    const rows = await openListedRows(deps, mints);
    // Curves that were read anew meanwhile may be others.
    if (rows?.windows !== windows || curves.book !== book || ranking.book !== book) continue;
    const learnt = learn(book, rows);
    isLearning = learnt.length > 0;
    if (isLearning) ranking.relearn(learnt);
    rankings += Number(curves.version !== version);
    if (isLearning || (curves.version !== version && rankings < RANKINGS)) continue;
    const known = wholeFrom(market, Math.max(before, curves.wholeSince));
    const data = graduatingRows(rows, shownNow(book, rows, filter), { usd, spark: filter.spark });
    return stampBody(jsonBody({ data, since: known > windows.now - HOUR_S ? timeText(known) : undefined }), rows.slot);
  }
  if (isLearning) throw new ApiError('warming_up', { message: 'what is known of curves is being read' });
  throw notSettled();
}

/** Tells the curves what the facts of their tokens say. Those of which that is new: others may be on top. */
function learn(book: CurveBook, { tokens }: ListedRows): Address[] {
  return tokens.flatMap((token) => (book.learn(token.mint, curveFactsOf(token)) ? [token.mint] : []));
}

/** Curves of rows in order as they stand now: blocks may have come since they were ranked. */
function shownNow(book: CurveBook, { tokens, windows }: ListedRows, filter: GraduatingFilter): CurveFigures[] {
  const figures = tokens.flatMap(({ mint }) => book.figures(mint, { now: windows.now }) ?? []);
  const shown = figures.filter(({ progress }) => progress >= filter.min_progress);
  return shown.sort(COMPARE_CURVES[filter.sort]).slice(0, filter.limit);
}

function graduatingRows(
  { tokens, windows }: ListedRows,
  shown: readonly CurveFigures[],
  { usd, spark }: { readonly usd: number | undefined; readonly spark: boolean | undefined },
): Written<GraduatingRow>[] {
  const byMint = new Map(tokens.map((token) => [token.mint, token]));
  return shown.flatMap(({ mint, velocity, eta, stalled }) => {
    const row = listRow(byMint.get(mint)!, windowFigures(windows, mint, spark), usd);
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
