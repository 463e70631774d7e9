import { jsonBody, timeText } from '../../books/json-text.ts';
import { createListBodies } from '../../books/list-bodies.ts';
import { readBatch } from '../../books/mint-rows.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Market } from '../../market/market.ts';
import type { MarketWindows } from '../../market/market-windows.ts';
import { Portions } from '../../market/portions.ts';
import { wholeFrom } from '../../market/whole-market.ts';
import { windowFigures } from '../../market/window-figures.ts';
import { isStanding, isToTheSecond, type WindowTotals, windowTotals } from '../../market/window-totals.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { readerNow } from '../../store/reads/reader.ts';
import type { UnbrokenReader, WholeSince } from '../../token/history.ts';
import { listRow } from '../../token/list-row.ts';
import { notSettled } from '../../token/settled.ts';
import { MAX_TRENDING } from './contract-limits.ts';
import type { TrendingRow } from './contract-market.ts';
import { type ListedRows, type ListedRowsDeps, openListedRows } from './listed-rows.ts';
import { createTurns } from './odd-windows.ts';
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
   *   windows that have to be summed up, or when blocks come faster than the answer can be made as of one slot.
   * @throws {ReadFault} `over_share` when the account waits for as many of those as it may.
   */
  list(window: number, limit: number, spark?: boolean): Buffer | Promise<Buffer>;
}

/** A list of any length, and the slot that it tells of. */
interface TrendingList {
  readonly rows: readonly Written<TrendingRow>[];
  readonly since: number | undefined;
  readonly slot: number;
}

/** Lists are kept for so long. */
const FRESH_MS = 5_000;
/** Different windows kept beside those that stand at any time: each has up to 200 rows. */
const KEPT_WINDOWS = 32;
const STANDING_WINDOWS = 4;
/** Windows that wait to be summed up, of all and of an account: it takes a core for up to a second, one after the other. */
const TURNS = { waiting: 16, ofAccount: 2 };
/** Times that a list is made, when blocks come while it is. */
const ROUNDS = 4;

export function createTrending(deps: TrendingDeps): Trending {
  const options = { clock: deps.clock, freshMs: FRESH_MS, reuseMs: FRESH_MS };
  // Whoever asks for other windows neither makes those wait that stand, nor pushes them out.
  const standing = createRefreshed<TrendingList>({ ...options, capacity: STANDING_WINDOWS });
  const others = createRefreshed<TrendingList>({ ...options, capacity: KEPT_WINDOWS });
  const turns = createTurns(TURNS);
  const bodies = createListBodies();
  return {
    list(window, limit, spark = false) {
      const bodyOf = (list: TrendingList) =>
        bodies.of(list, `${limit} ${spark}`, () => trendingBody(list, { limit, spark }));
      return isStanding(window)
        ? standing.with(String(window), () => makeList(deps, window), bodyOf)
        : others.with(String(window), () => turns.take(() => makeList(deps, window)), bodyOf);
    },
  };
}

function trendingBody(
  { rows, since, slot }: TrendingList,
  { limit, spark }: { limit: number; spark: boolean },
): Buffer {
  const known = since === undefined ? undefined : timeText(since);
  const data = rows.slice(0, limit).map((row) => (spark ? row : { ...row, spark: undefined }));
  return stampBody(jsonBody({ data, since: known }), slot);
}

async function makeList(deps: TrendingDeps, window: number): Promise<TrendingList> {
  const moved = followMoved(deps.feed);
  try {
    return await makeFollowed(deps, window, moved.mints);
  } finally {
    moved.stop();
  }
}

/** `moved`: mints that the feed tells something of, from now on. */
async function makeFollowed(deps: TrendingDeps, window: number, moved: Set<Address>): Promise<TrendingList> {
  const { market, clock, solUsd } = deps;
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const [slots, kept] = await Promise.all([deps.unbroken(), deps.wholeSince()]);
  const begun = Math.max(slots?.since ?? 0, kept.get('swaps') ?? 0);
  const portions = new Portions(clock, readerNow());
  const usd = solUsd();
  let summed: Summed | undefined;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const windows = await market.open();
    const before = wholeFrom(market, begun);
    if (summed?.windows !== windows || summed.totals.follow() !== 'whole') {
      summed = { windows, totals: await windowTotals(windows, window, portions) };
    }
    const { totals } = summed;
    const { version } = market;
    moved.clear();
    let top = await topTokens(totals, { count: MAX_TRENDING, solUsd: usd, portions });
    for (let tries = 1; tries <= ROUNDS; tries += 1) {
      const opened = await openListedRows(
        deps,
        top.map(({ mint }) => mint),
      );
      const followed = totals.follow();
      if (opened?.windows !== windows || followed === 'moved') break;
      if (market.version !== version || followed === 'replaced') {
        // Others may be on top since: all are ranked again, but not for ever. Then those that moved are put among the rest.
        if (round < ROUNDS) break;
        const newcomers = newcomersOf(top, { moved, totals, usd });
        if (newcomers.length > 0) {
          top = [...top, ...newcomers].sort(compareRanked);
          continue;
        }
      }
      // While a hole is filled, buckets may be replaced faster than they are summed up: nothing of them is whole then.
      const whole = Math.max(wholeFrom(market, before), followed === 'replaced' ? totals.settledUntil : 0);
      const { since } = totals;
      const isCut = !isToTheSecond(window) || whole > since;
      return {
        rows: trendingRows(opened, { top, totals, usd }).slice(0, MAX_TRENDING),
        since: isCut ? Math.max(whole, since) : undefined,
        slot: opened.slot,
      };
    }
  }
  throw notSettled();
}

/** Mints that blocks, or rows of the store, move from now on. */
function followMoved(feed: Feed): { readonly mints: Set<Address>; readonly stop: () => void } {
  const mints = new Set<Address>();
  const note = (batch: RowBatch) => {
    for (const mint of readBatch(batch).keys()) if (mint !== '') mints.add(mint);
  };
  const stop = feed.subscribe({
    batch: note,
    withdrawn: note,
    changed(changed) {
      for (const mint of changed) mints.add(mint);
    },
  });
  return { mints, stop };
}

/** Tokens that moved since the others were ranked, and are before the last of these now. */
function newcomersOf(
  top: readonly RankedToken[],
  { moved, totals, usd }: Pick<Ranking, 'totals' | 'usd'> & { readonly moved: ReadonlySet<Address> },
): readonly RankedToken[] {
  const known = new Set(top.map(({ mint }) => mint));
  const last = top.length < MAX_TRENDING ? undefined : top[MAX_TRENDING - 1];
  return [...moved]
    .flatMap((mint) => (known.has(mint) ? [] : (rankOf(mint, totals.of(mint), usd) ?? [])))
    .filter((token) => last === undefined || compareRanked(token, last) < 0);
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
