import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { SWAPS, type SwapRow } from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';
import { withLearntDecimals } from '../../token/hydrated-reads.ts';

/** A token traded in more quotes than this in a day shows only some of them. */
const MAX_QUOTES = 1_000;
/** Minutes of an hour times quotes. */
const MAX_FLOW_ROWS = 5_000;

const since = Type.Object({
  mint: Type.String(),
  mark: Type.Integer(),
  since: Type.Integer(),
  limit: Type.Integer(),
});

const swaps = defineRowQuery({
  sql: new URL('./activity-swaps.sql', import.meta.url),
  params: since,
  maxRows: 100_000,
  layout: columnsOf(
    SWAPS,
    'time',
    'trader',
    'is_buy',
    'quote_mint',
    'quote_decimals',
    'quote_amount',
    'protocol_actor',
    'signature',
    'ix_index',
  ),
});

const windows = defineRowQuery({
  sql: new URL('./activity-windows.sql', import.meta.url),
  params: Type.Object({
    mint: Type.String(),
    mark: Type.Integer(),
    shortest: Type.Integer(),
    middle: Type.Integer(),
    longest: Type.Integer(),
    limit: Type.Integer(),
  }),
  layout: {
    name: 'activity_windows',
    columns: {
      total: 'bool',
      quote_mint: 'address',
      quote_decimals: 'u8',
      swaps: 'u32',
      volume_shortest: 'i128',
      volume_middle: 'i128',
      volume_longest: 'i128',
      buys_shortest: 'u32',
      buys_middle: 'u32',
      buys_longest: 'u32',
      sells_shortest: 'u32',
      sells_middle: 'u32',
      sells_longest: 'u32',
      buyers_shortest: 'u32',
      buyers_middle: 'u32',
      buyers_longest: 'u32',
      sellers_shortest: 'u32',
      sellers_middle: 'u32',
      sellers_longest: 'u32',
    },
  },
});

const flow = defineRowQuery({
  sql: new URL('./activity-flow.sql', import.meta.url),
  params: since,
  layout: { name: 'activity_flow', columns: { start: 'u32', quote_mint: 'address', buy: 'i128', sell: 'i128' } },
});

/** Swaps since a time, newest first. */
export async function readActivitySwaps(
  client: StoreClient,
  mint: Address,
  mark: number,
  from: number,
  limit: number,
): Promise<readonly ActivityRow[]> {
  return withLearntDecimals(client, await swaps(client, { mint, mark, since: from, limit }), () => mint);
}

/** Activity summed up by the store. */
export async function readActivitySums(
  client: StoreClient,
  mint: Address,
  mark: number,
  spans: ActivitySpans,
): Promise<ActivitySums> {
  const [shortest, middle, longest] = spans.windows;
  const [sums, minutes, recent] = await Promise.all([
    windows(client, { mint, mark, shortest, middle, longest, limit: MAX_QUOTES }).then((rows) =>
      withLearntDecimals(client, rows, () => mint),
    ),
    flow(client, { mint, mark, since: spans.flow, limit: MAX_FLOW_ROWS }),
    swaps(client, { mint, mark, since: longest, limit: spans.recentLimit }),
  ]);
  const total = sums.find((row) => row.total);
  const counts = (span: 'shortest' | 'middle' | 'longest') => ({
    buys: total?.[`buys_${span}`] ?? 0,
    sells: total?.[`sells_${span}`] ?? 0,
    buyers: total?.[`buyers_${span}`] ?? 0,
    sellers: total?.[`sellers_${span}`] ?? 0,
  });
  return {
    windows: [counts('shortest'), counts('middle'), counts('longest')],
    quotes: sums
      .filter((row) => !row.total)
      .map((row) => ({
        quote_mint: row.quote_mint,
        quote_decimals: row.quote_decimals,
        swaps: row.swaps,
        volumes: [row.volume_shortest, row.volume_middle, row.volume_longest],
      })),
    flow: minutes,
    recent,
  };
}

export type ActivityRow = Pick<
  SwapRow,
  | 'time'
  | 'trader'
  | 'is_buy'
  | 'quote_mint'
  | 'quote_decimals'
  | 'quote_amount'
  | 'protocol_actor'
  | 'signature'
  | 'ix_index'
>;

/** Starts of the windows, Unix seconds, each reaching to the newest swap. */
export interface ActivitySpans {
  readonly windows: readonly [shortest: number, middle: number, longest: number];
  readonly flow: number;
  /** Newest swaps of the longest window to be listed. */
  readonly recentLimit: number;
}

export interface ActivitySums {
  /** One per window, in their order. */
  readonly windows: readonly ActivityCounts[];
  /** One per quote of the longest window. */
  readonly quotes: readonly QuoteSums[];
  /** Minutes with trades, oldest first, one per quote. */
  readonly flow: readonly FlowSums[];
  /** Newest first. */
  readonly recent: readonly Pick<SwapRow, 'time' | 'signature' | 'ix_index'>[];
}

/** Counts over every swap; wallets without the protocol's own. */
export interface ActivityCounts {
  readonly buys: number;
  readonly sells: number;
  readonly buyers: number;
  readonly sellers: number;
}

export interface QuoteSums {
  readonly quote_mint: Address | '';
  /** Of the newest swap in it. */
  readonly quote_decimals: number;
  readonly swaps: number;
  /** Raw quote units, one per window, in their order. */
  readonly volumes: readonly bigint[];
}

export interface FlowSums {
  /** Unix seconds of the minute. */
  readonly start: number;
  readonly quote_mint: Address | '';
  readonly buy: bigint;
  readonly sell: bigint;
}
