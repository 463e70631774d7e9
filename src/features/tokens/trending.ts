import { jsonBody, timeText } from '../../books/json-text.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Market } from '../../market/market.ts';
import type { MarketWindows } from '../../market/market-windows.ts';
import { Portions } from '../../market/portions.ts';
import { windowFigures } from '../../market/window-figures.ts';
import { type WindowTotals, windowTotals } from '../../market/window-totals.ts';
import type { UnbrokenReader, WholeSince } from '../../token/history.ts';
import { listRow } from '../../token/list-row.ts';
import { notSettled } from '../../token/settled.ts';
import { MAX_TRENDING } from './contract-limits.ts';
import type { TrendingRow } from './contract-market.ts';
import { type ListedRows, type ListedRowsDeps, openListedRows } from './listed-rows.ts';
import { compareRanked, type RankedToken, rankOf, topTokens } from './trending-rules.ts';

export interface TrendingDeps extends ListedRowsDeps {
  readonly market: Market;
  readonly clock: Clock;
  readonly unbroken: UnbrokenReader;
  readonly wholeSince: WholeSince;
  /** Dollars per SOL, undefined while unknown. */
  readonly solUsd: () => number | undefined;
}

/** Tokens by what was traded of them in SOL. */
export interface Trending {
  /**
   * The first tokens of a window of so many seconds.
   *
   * @throws {ApiError} `warming_up` while windows are being read, `storage_unavailable` when too many others wait for
   *   other windows, or when blocks come faster than the answer can be made as of one slot.
   */
  list(window: number, limit: number, spark?: boolean): Promise<Buffer>;
}

/** A list of any length, and the slot that it tells of. */
interface TrendingList {
  readonly rows: readonly Written<TrendingRow>[];
  readonly since: number | undefined;
  readonly slot: number;
}

/** Lists are kept for so long. */
const FRESH_MS = 5_000;
/** Different windows kept: each has up to 200 rows. */
const KEPT_WINDOWS = 32;
/** Windows that wait to be summed up: it takes a core for up to a second, one after the other. */
const MAX_WAITING = 16;
/** Times that a list is made, when blocks come while it is. */
const ROUNDS = 4;
/** Windows that are longer go by whole hours. */
const DAY_S = 86_400;

export function createTrending(deps: TrendingDeps): Trending {
  const { clock } = deps;
  const lists = createRefreshed<TrendingList>({
    ...{ clock, capacity: KEPT_WINDOWS },
    ...{ freshMs: FRESH_MS, reuseMs: FRESH_MS },
  });
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  /** Does it when all others before it are done. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= MAX_WAITING) {
      throw new ApiError('storage_unavailable', {
        message: 'too many windows are being summed up: ask again in a moment',
      });
    }
    waiting += 1;
    const done = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = done.catch(() => {});
    return done;
  }

  return {
    async list(window, limit, spark = false) {
      const { rows, since, slot } = (await lists.get(String(window), () => inTurn(() => makeList(deps, window)))).value;
      const known = since === undefined ? undefined : timeText(since);
      const data = rows.slice(0, limit).map((row) => (spark ? row : { ...row, spark: undefined }));
      return stampBody(jsonBody({ data, since: known }), slot);
    },
  };
}

async function makeList(deps: TrendingDeps, window: number): Promise<TrendingList> {
  const { market, clock, solUsd } = deps;
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const [slots, kept] = await Promise.all([deps.unbroken(), deps.wholeSince()]);
  const begun = Math.max(slots?.since ?? 0, kept.get('swaps') ?? 0);
  const portions = new Portions(clock);
  const usd = solUsd();
  let summed: Summed | undefined;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const windows = await market.open();
    if (summed?.windows !== windows || !summed.totals.follow()) {
      summed = { windows, totals: await windowTotals(windows, window, portions) };
    }
    const { totals } = summed;
    const { version } = market;
    const top = await topTokens(totals, { count: MAX_TRENDING, solUsd: usd, portions });
    const opened = await openListedRows(
      deps,
      top.map(({ mint }) => mint),
    );
    if (opened?.windows !== windows || !totals.follow()) continue;
    // Others may be on top since: they are looked for again, but not for ever.
    if (market.version !== version && round < ROUNDS) continue;
    const { since } = totals;
    const isCut = window > DAY_S || begun > since;
    return {
      rows: trendingRows(opened, { top, totals, usd }),
      since: isCut ? Math.max(begun, since) : undefined,
      slot: opened.slot,
    };
  }
  throw notSettled();
}

/** Totals, and the windows that they are of. */
interface Summed {
  readonly windows: MarketWindows;
  readonly totals: WindowTotals;
}

interface Ranking {
  readonly top: readonly RankedToken[];
  readonly totals: WindowTotals;
  readonly usd: number | undefined;
}

/** Rows in order as they stand now: blocks may have come since the tokens were ranked. */
function trendingRows({ tokens, windows }: ListedRows, { top, totals, usd }: Ranking): Written<TrendingRow>[] {
  const byMint = new Map(tokens.map((token) => [token.mint, token]));
  const ranked = top.flatMap(({ mint }) => rankOf(mint, totals.of(mint), usd) ?? []).sort(compareRanked);
  return ranked.map(({ mint, lamports, trades }) => {
    // Whoever asks next may want the prices of the hour: they are of the same slot.
    const row = listRow(byMint.get(mint)!, windowFigures(windows, mint, true), usd);
    return { ...row, volume: lamports.toString(), trades };
  });
}
