import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery } from '../../store/query.ts';
import { slotOf } from '../../token/packed-place.ts';
import type { PricingSwaps } from './pricing-swaps.ts';

const window = Type.Object({
  mint: Type.String(),
  quote: Type.String(),
  step: Type.Integer(),
  from: Type.Integer(),
  to: Type.Integer(),
  direction: Type.Integer(),
  limit: Type.Integer(),
});

const CANDLE_COLUMNS = {
  start: 'u32',
  open: 'f64',
  high: 'f64',
  low: 'f64',
  close: 'f64',
  volume: 'i128',
  trades: 'u32',
} as const;

const range = defineRowQuery({
  sql: new URL('./candles-range.sql', import.meta.url),
  params: Type.Object({ ...window.properties, pool: Type.String(), mark: Type.Integer() }),
  layout: { name: 'candles_range', columns: CANDLE_COLUMNS },
});

const rollup = defineRowQuery({
  sql: new URL('./candles-rollup.sql', import.meta.url),
  params: window,
  layout: { name: 'candles_rollup', columns: { ...CANDLE_COLUMNS, newest: 'u64' } },
});

/** Shorter candles are not in the rollup. */
const SHORTEST_IN_ROLLUP = 60;

const MAX_TIME = 2 ** 32 - 1;

/** Candles at slot `mark`: out of the rollup, unless it has them not, or has more than the store answers for. */
export async function readCandles(
  client: StoreClient,
  mint: Address,
  mark: number,
  { quote, pool, step, from, to, order, limit }: CandleWindow,
): Promise<readonly CandleRow[]> {
  const asked = {
    mint,
    quote,
    step,
    from: clampTime(from),
    to: clampTime(to),
    direction: order === 'asc' ? 1 : -1,
    limit,
  };
  if (step >= SHORTEST_IN_ROLLUP && pool === '') {
    const rows = await rollup(client, asked);
    if (rows.every(({ newest }) => slotOf(newest) <= mark)) return rows.map(({ newest: _newest, ...candle }) => candle);
  }
  return range(client, { ...asked, pool, mark });
}

/** Bounds are anybody's; buckets are what a store's time can be. */
function clampTime(seconds: number): number {
  return Math.min(Math.max(seconds, 0), MAX_TIME);
}

export interface CandleWindow extends PricingSwaps {
  /** Length of a bucket, seconds. */
  readonly step: number;
  /** Unix seconds, half-open on the bucket's start. */
  readonly from: number;
  readonly to: number;
  /** Order of the rows, and with it the end of the range that `limit` keeps. */
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Raw quote over raw token; volume in raw quote units. */
export interface CandleRow {
  /** Unix seconds. */
  readonly start: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: bigint;
  readonly trades: number;
}
