import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { SlotSpan } from '../feed/feed.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { RowOf, TableLayout } from '../store/clickhouse/schema/table-layout.ts';
import { defineQuery, defineRowQuery, defineRowStream, SHARED_READ_SECONDS } from '../store/query.ts';
import { type BlockTime, readBlockTimes } from '../token/block-times.ts';

const WINDOW_SWAPS = {
  name: 'window_swaps',
  columns: {
    slot: 'u32',
    time: 'time',
    mint: 'account',
    quote_mint: 'address',
    trader: 'address',
    venue: 'u8',
    is_buy: 'bool',
    protocol_actor: 'bool',
    quote_amount: 'u64',
    price: 'f64',
    priced: 'bool',
  },
} as const satisfies TableLayout;

const WINDOW_CELLS = {
  name: 'window_cells',
  columns: {
    mint: 'account',
    quote_mint: 'address',
    venue: 'u8',
    cells: 'bytes',
  },
} as const satisfies TableLayout;

const WINDOW_PRICES = {
  name: 'window_prices',
  columns: { mint: 'account', quote_mint: 'address', at: 'u64', price: 'f64' },
} as const satisfies TableLayout;

export type WindowSwapRow = RowOf<typeof WINDOW_SWAPS>;
export type WindowCellRow = RowOf<typeof WINDOW_CELLS>;
export type WindowPriceRow = RowOf<typeof WINDOW_PRICES>;

/** Unix seconds, the first one included and the last one not. */
export interface TimeSpan {
  readonly since: number;
  readonly until: number;
}

/** Slots behind one and up to another; rows of single transactions behind it whatever their slot. */
export interface SlotRange {
  readonly after: number;
  readonly last: number;
}

/** Blocks behind a slot, up to a mark, that are from behind a second. */
export interface AheadRange {
  readonly after: number;
  readonly mark: number;
  /** Unix seconds. */
  readonly now: number;
}

/** A token in one quote; '' is SOL. */
export interface Pair {
  readonly mint: Address;
  readonly quote: Address | '';
}

/** The questions that windows ask of the store. Swaps and cells come in pieces: the answers are as large as the market. */
export interface WindowReads {
  /** The newest blocks up to the mark, oldest first: those whose times decide what time it is. */
  newest(mark: number): Promise<readonly BlockTime[]>;
  /** Blocks behind a slot and up to the mark whose times are behind a second, oldest first. */
  ahead(range: AheadRange): Promise<readonly BlockTime[]>;
  /** Slots up to the mark between which all blocks of a span lie, and behind `after` when that is known to lie before it. */
  slots(mark: number, span: TimeSpan, after?: number): Promise<SlotRange>;
  /** Starts of the minutes in which some slots lie, in order. */
  minutes(slots: SlotSpan): Promise<readonly number[]>;
  swaps(range: SlotRange & TimeSpan, signal: AbortSignal): AsyncGenerator<WindowSwapRow[]>;
  /** Sums of buckets of `width` seconds over swaps of a span, packed as `visitCells` shows them. */
  cells(range: SlotRange & TimeSpan & { readonly width: number }, signal: AbortSignal): AsyncGenerator<WindowCellRow[]>;
  /** Last prices of tokens in a quote each, before a moment; `range` holds everything since the minute of it. */
  prices(pairs: readonly Pair[], range: SlotRange & { readonly before: number }): Promise<readonly WindowPriceRow[]>;
}

const blocksQuery = defineQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./window-slots.sql', import.meta.url),
  params: Type.Object({
    after: Type.Integer(),
    mark: Type.Integer(),
    since: Type.Integer(),
    until: Type.Integer(),
  }),
  row: Type.Object({ first: Type.Integer(), last: Type.Integer(), older: Type.Integer() }),
});

const aheadQuery = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./window-ahead.sql', import.meta.url),
  params: Type.Object({ after: Type.Integer(), mark: Type.Integer(), now: Type.Integer() }),
  layout: { name: 'window_ahead', columns: { slot: 'u32', time: 'u32' } },
});

const minutesQuery = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./window-minutes.sql', import.meta.url),
  params: Type.Object({ first: Type.Integer(), last: Type.Integer() }),
  layout: { name: 'window_minutes', columns: { start: 'u32' } },
});

const pricesQuery = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./window-prices.sql', import.meta.url),
  params: Type.Object({
    mints: Type.Array(Type.String()),
    quotes: Type.Array(Type.String()),
    after: Type.Integer(),
    last: Type.Integer(),
    minute: Type.Integer(),
    before: Type.Integer(),
  }),
  layout: WINDOW_PRICES,
});

const swapStream = defineRowStream({
  sql: new URL('./window-swaps.sql', import.meta.url),
  params: Type.Object({
    after: Type.Integer(),
    last: Type.Integer(),
    since: Type.Integer(),
    until: Type.Integer(),
  }),
  layout: WINDOW_SWAPS,
});

const cellStream = defineRowStream({
  sql: new URL('./window-cells.sql', import.meta.url),
  params: Type.Object({
    after: Type.Integer(),
    last: Type.Integer(),
    since: Type.Integer(),
    until: Type.Integer(),
    width: Type.Integer(),
  }),
  layout: WINDOW_CELLS,
});

const MINUTE_S = 60;
/** Slots in which the beginning of a span is looked for first, about two hours of them; then in so many times more. */
const FIRST_REACH = 20_000;
const REACH_FACTOR = 16;
/** So many blocks before a span prove that it has begun behind them: a few of them may tell a wrong time. */
const PROVING_BLOCKS = 64;

export function createWindowReads(client: StoreClient): WindowReads {
  return {
    newest: (mark) => readBlockTimes(client, mark),
    async slots(mark, span, known) {
      for (let reach = FIRST_REACH; ; reach *= REACH_FACTOR) {
        const after = known ?? Math.max(0, mark - reach);
        const [row] = await blocksQuery(client, { after, mark, ...span });
        const isWhole = known !== undefined || after === 0 || (row?.older ?? 0) >= PROVING_BLOCKS;
        // Without a block nothing but rows of single transactions is left, wherever they are.
        if (isWhole) return row?.last ? { after: row.first - 1, last: row.last } : { after, last: after };
      }
    },
    ahead: (range) => aheadQuery(client, range),
    minutes: async (slots) => (await minutesQuery(client, slots)).map(({ start }) => start),
    swaps: (range, signal) => swapStream(client, range, signal),
    cells: (range, signal) => cellStream(client, range, signal),
    prices: (pairs, { after, last, before }) =>
      pricesQuery(client, {
        mints: pairs.map(({ mint }) => mint),
        quotes: pairs.map(({ quote }) => quote),
        ...{ after, last, before, minute: before - (before % MINUTE_S) },
      }),
  };
}
