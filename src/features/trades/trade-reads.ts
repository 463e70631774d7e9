import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import {
  type ActivityRow,
  type ActivitySpans,
  type ActivitySums,
  readActivitySums,
  readActivitySwaps,
} from './activity-reads.ts';
import { type CandleRow, type CandleWindow, readCandles } from './candle-reads.ts';
import { readTicks, type TickRow, type TickWindow } from './tick-reads.ts';

/** The questions about a token's trades. `mark` as in `TokenReads`. */
export interface TradeReads {
  /** Pricing swaps, in the window's order. */
  ticks(mint: Address, mark: number, window: TickWindow): Promise<readonly TickRow[]>;
  /** Ascending. */
  candles(mint: Address, mark: number, window: CandleWindow): Promise<readonly CandleRow[]>;
  /** Swaps since a time, newest first. */
  activitySwaps(mint: Address, mark: number, since: number, limit: number): Promise<readonly ActivityRow[]>;
  /** The same summed up by the store, for tokens with more swaps than one wants to read. */
  activitySums(mint: Address, mark: number, spans: ActivitySpans): Promise<ActivitySums>;
}

/** The questions about a token's trades, asked of the store. */
export function createTradeReads(client: StoreClient): TradeReads {
  return {
    ticks: (...question) => readTicks(client, ...question),
    candles: (...question) => readCandles(client, ...question),
    activitySwaps: (...question) => readActivitySwaps(client, ...question),
    activitySums: (...question) => readActivitySums(client, ...question),
  };
}
