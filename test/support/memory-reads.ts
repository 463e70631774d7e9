import { comparePlaces, compareToCursor, type Place } from '../../src/books/place.ts';
import type { Address } from '../../src/chain/address.ts';
import { groupByWallet, sortHolders } from '../../src/features/holders/holder-body.ts';
import type { ActivityCounts, ActivitySpans, ActivitySums } from '../../src/features/trades/activity-reads.ts';
import { bucketStart, type Candle, foldTrades } from '../../src/features/trades/candle-series.ts';
import { isPricing } from '../../src/features/trades/pricing-swaps.ts';
import type { PositionRow, SwapRow } from '../../src/store/clickhouse/schema/tables.ts';
import type { RowWindow } from '../../src/token/row-reads.ts';
import type { BookReads } from './token-books.ts';
import type { WorldBlock } from './token-world-rows.ts';

/** The store's questions answered over plain arrays: slow, simple, and what books are held against. */
export interface MemoryReads extends BookReads {
  /** Makes a block readable. */
  add(block: WorldBlock): void;
  /** Blocks that are readable. */
  readonly blocks: readonly WorldBlock[];
  /** Reads made so far. */
  readonly count: number;
}

type Table = 'creations' | 'completions' | 'graduations' | 'creatorChanges' | 'swaps' | 'attempts' | 'transfers';

export function createMemoryReads(): MemoryReads {
  const blocks: WorldBlock[] = [];
  /** Places found since the last block came. */
  const found = new Map<string, readonly Place[]>();
  let count = 0;

  function rows<K extends Table>(table: K, mint: Address, mark: number): WorldBlock[K] {
    count += 1;
    const question = `${table} ${mint} ${mark}`;
    const known = found.get(question) ?? find(table, mint, mark);
    found.set(question, known);
    return known as unknown as WorldBlock[K];
  }

  function find(table: Table, mint: Address, mark: number): readonly Place[] {
    const all = blocks.flatMap((block): readonly Place[] => block[table]);
    const visible = (all as (Place & { mint: Address | ''; partial: boolean })[]).filter(
      (row) => row.mint === mint && (row.slot <= mark || row.partial),
    );
    return visible.sort(comparePlaces);
  }

  return {
    get count() {
      return count;
    },
    blocks,
    add(block) {
      blocks.push(block);
      found.clear();
    },
    async token(mint, mark) {
      const swaps = rows('swaps', mint, mark);
      const [creation] = rows('creations', mint, mark);
      const [graduation] = rows('graduations', mint, mark);
      const seen = creation !== undefined || swaps.length > 0;
      return {
        creation,
        completion: rows('completions', mint, mark)[0],
        graduation,
        ...(seen ? {} : { traces: tracesOf(rows('attempts', mint, mark), rows('transfers', mint, mark)) }),
        creatorChange: rows('creatorChanges', mint, mark).at(-1),
        lastSwap: swaps.at(-1),
        lastPriced: swaps.findLast((row) => row.priced),
        highs: highsOf(swaps.filter((row) => row.priced && row.price > 0)),
        markets: swaps.length > 0 && !swaps.some((row) => row.priced) ? marketsOf(swaps) : undefined,
      };
    },
    swaps: async (mint, mark, window) => cut(rows('swaps', mint, mark), window),
    attempts: async (mint, mark, window) => cut(rows('attempts', mint, mark), window),
    transfers: async (mint, mark, window) => {
      const shown = rows('transfers', mint, mark).filter(({ hidden }) => !hidden);
      return cut(shown, window);
    },
    async ticks(mint, mark, { order, limit, cursor, ...pricing }) {
      const priced = rows('swaps', mint, mark).filter((row) => isPricing(pricing, row));
      if (order === 'desc') priced.reverse();
      const sign = order === 'desc' ? -1 : 1;
      return priced.filter((row) => cursor === undefined || sign * comparePlaces(row, cursor) > 0).slice(0, limit);
    },
    async candles(mint, mark, { step, from, to, order, limit, ...pricing }) {
      const candles: Candle[] = [];
      const priced = rows('swaps', mint, mark).filter((row) => isPricing(pricing, row));
      foldTrades(candles, priced, step);
      const inside = candles.filter(({ start }) => start >= from && start < to);
      return (order === 'desc' ? inside.reverse() : inside).slice(0, limit);
    },
    async activitySwaps(mint, mark, since, limit) {
      return rows('swaps', mint, mark)
        .filter(({ time }) => time >= since)
        .reverse()
        .slice(0, limit);
    },
    activitySums: async (mint, mark, spans) => sumActivity(rows('swaps', mint, mark), spans),
    async holders(mint, { wallets: limit }) {
      count += 1;
      const newest = new Map<string, PositionRow>();
      for (const row of blocks.flatMap((block) => block.positions)) {
        if (row.mint === mint) newest.set(`${row.trader} ${row.quote_mint}`, row);
      }
      const quotes = new Set(Array.from(newest.values(), (row) => row.quote_mint)).size;
      const mint_newest = Math.max(0, ...Array.from(newest.values(), ({ slot }) => slot));
      const grouped = groupByWallet(newest.values());
      const known = sortHolders(grouped);
      const mint_unknown = known.length < grouped.length;
      const rows = [...newest.values()].map((row) => ({ ...row, mint_quotes: quotes, mint_unknown, mint_newest }));
      const unknown = grouped.filter(({ balance }) => balance === undefined);
      const top = new Set([...known, ...unknown].slice(0, limit).map(({ trader }) => trader));
      return rows.filter(({ trader }) => top.has(trader));
    },
    // Nothing moves in these worlds but by trades.
    holdings: async () => [],
  };
}

/** The first of the dearest swaps in each quote. */
function highsOf(priced: readonly SwapRow[]): SwapRow[] {
  return [...new Set(priced.map((row) => row.quote_mint))].map((quote) => {
    const ours = priced.filter((row) => row.quote_mint === quote);
    const top = Math.max(...ours.map((row) => row.price));
    return ours.find((row) => row.price === top)!;
  });
}

/** The newest swap of each market, newest first. */
function marketsOf(swaps: readonly SwapRow[]): SwapRow[] {
  const key = (row: SwapRow) => `${row.venue} ${row.pool} ${row.quote_mint}`;
  return swaps.filter((row, i) => swaps.findLastIndex((other) => key(other) === key(row)) === i).toReversed();
}

function cut<T extends Place>(rows: readonly T[], { order, limit, cursor }: RowWindow): T[] {
  const ordered = order === 'desc' ? rows.toReversed() : rows;
  const sign = order === 'desc' ? -1 : 1;
  return ordered.filter((row) => cursor === undefined || sign * compareToCursor(row, cursor) > 0).slice(0, limit);
}

function sumActivity(swaps: readonly SwapRow[], spans: ActivitySpans): ActivitySums {
  const day = swaps.filter(({ time }) => time >= spans.windows[2]);
  const quotes = [...new Set(day.map((row) => row.quote_mint))];
  const total = (rows: readonly SwapRow[]) => rows.reduce((sum, row) => sum + row.quote_amount, 0n);
  const minutes = [...new Set(day.filter(({ time }) => time >= spans.flow).map(({ time }) => bucketStart(time, 60)))];
  return {
    windows: spans.windows.map((since) => counts(day.filter(({ time }) => time >= since))),
    quotes: quotes.map((quote) => {
      const ours = day.filter((row) => row.quote_mint === quote);
      return {
        quote_mint: quote,
        quote_decimals: ours.at(-1)!.quote_decimals,
        swaps: ours.length,
        volumes: spans.windows.map((since) => total(ours.filter(({ time }) => time >= since))),
      };
    }),
    flow: minutes.flatMap((start) =>
      quotes.flatMap((quote) => {
        const ours = day.filter((row) => row.quote_mint === quote && bucketStart(row.time, 60) === start);
        if (ours.length === 0) return [];
        const buys = ours.filter((row) => row.is_buy);
        return { start, quote_mint: quote, buy: total(buys), sell: total(ours) - total(buys) };
      }),
    ),
    recent: day.toReversed().slice(0, spans.recentLimit),
  };
}

function counts(rows: readonly SwapRow[]): ActivityCounts {
  const buys = rows.filter((row) => row.is_buy);
  const sells = rows.filter((row) => !row.is_buy);
  const wallets = (some: readonly SwapRow[]) =>
    new Set(some.filter((row) => !row.protocol_actor).map((row) => row.trader)).size;
  return { buys: buys.length, sells: sells.length, buyers: wallets(buys), sellers: wallets(sells) };
}

function tracesOf(attempts: readonly Place[], transfers: readonly { readonly decimals: number }[]) {
  if (attempts.length === 0 && transfers.length === 0) return undefined;
  return { known: true, decimals: transfers[0]?.decimals };
}
