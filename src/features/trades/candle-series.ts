import { timeText } from '../../books/json-text.ts';
import { firstIndex } from '../../books/row-span.ts';
import type { Address } from '../../chain/address.ts';
import { floatPrice } from '../../token/price-string.ts';
import type { CandleInterval } from './contract.ts';

export const INTERVAL_SECONDS: Readonly<Record<CandleInterval, number>> = {
  '1s': 1,
  '5s': 5,
  '30s': 30,
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
};

/** Trades of one bucket, in raw quote units per raw token unit. Open is the first trade, not the previous close. */
export interface Candle {
  /** Unix seconds of the bucket's start. */
  readonly start: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Raw quote units. */
  readonly volume: bigint;
  readonly trades: number;
}

/** Columns that a candle needs of a swap that prices the token. */
export interface PricedTrade {
  /** Unix seconds. */
  readonly time: number;
  /** Raw quote over raw token. */
  readonly price: number;
  readonly quote_amount: bigint;
}

/** Bucket starts asked for, Unix seconds, half-open. `fromStart` tells which end a limit keeps. */
export interface CandleBounds {
  readonly from: number;
  readonly to: number;
  readonly fromStart: boolean;
}

/**
 * The bounds of a request. Without `to` they reach to now; without `from` they
 * go `limit` buckets back from there; with `from` the oldest buckets are kept.
 */
export function candleBounds(range: CandleRange, now: number): CandleBounds {
  const step = INTERVAL_SECONDS[range.interval];
  const to = range.to ?? now + 1;
  if (range.from !== undefined) return { from: range.from, to, fromStart: true };
  return { from: Math.max(0, to - range.limit * step), to, fromStart: false };
}

export function bucketStart(time: number, step: number): number {
  return time - (time % step);
}

/** The candle after one more trade. */
function withTrade(candle: Candle, { price, quote_amount }: PricedTrade): Candle {
  return {
    start: candle.start,
    open: candle.open,
    high: Math.max(candle.high, price),
    low: Math.min(candle.low, price),
    close: price,
    volume: candle.volume + quote_amount,
    trades: candle.trades + 1,
  };
}

/** Folds trades, in order, onto a series of candles, in place. False when one belongs to a bucket that is closed already. */
export function foldTrades(candles: Candle[], trades: readonly PricedTrade[], step: number): boolean {
  for (const trade of trades) {
    const start = bucketStart(trade.time, step);
    const last = candles.at(-1);
    if (last !== undefined && last.start > start) return false;
    if (last?.start === start) candles[candles.length - 1] = withTrade(last, trade);
    else {
      const { price, quote_amount } = trade;
      candles.push({ start, open: price, high: price, low: price, close: price, volume: quote_amount, trades: 1 });
    }
  }
  return true;
}

/** Ascending candles out of what the store has, in any order, and the newest ones, which are further on. */
export function mergeCandles(stored: readonly Candle[], newest: readonly Candle[]): Candle[] {
  const byStart = new Map(stored.map((candle) => [candle.start, candle]));
  for (const candle of newest) byStart.set(candle.start, candle);
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

/** The candles of a request, oldest first. `candles` are ascending, hold all buckets in the bounds and, to fill from, one before. */
export function selectCandles(
  candles: readonly Candle[],
  range: CandleRange,
  bounds: CandleBounds,
  now: number,
): Candle[] {
  const begin = firstIndex(candles, ({ start }) => start >= bounds.from);
  const end = firstIndex(candles, ({ start }) => start >= bounds.to);
  const inside = candles.slice(begin, end);
  const all = range.fill ? filled(inside, candles[begin - 1], range, bounds, now) : inside;
  return bounds.fromStart ? all.slice(0, range.limit) : all.slice(-range.limit);
}

/** Puts a candle without trades into every empty bucket that has a close before it, up to now. */
function filled(
  inside: readonly Candle[],
  before: Candle | undefined,
  range: CandleRange,
  bounds: CandleBounds,
  now: number,
): Candle[] {
  const step = INTERVAL_SECONDS[range.interval];
  const first = before === undefined ? inside[0]?.start : bucketStart(bounds.from + step - 1, step);
  if (first === undefined) return [];
  const end = Math.min(bounds.to, now + 1);
  const result: Candle[] = [];
  let next = 0;
  let close = before?.close ?? 0;
  for (let start = first; start < end && result.length < range.limit; start += step) {
    const candle = inside[next];
    if (candle?.start === start) {
      next += 1;
      close = candle.close;
      result.push(candle);
    } else {
      result.push({ start, open: close, high: close, low: close, close, volume: 0n, trades: 0 });
    }
  }
  return result;
}

/** A candle's JSON; `factor` turns raw ratios into the price's unit. */
function candleJson({ start, open, high, low, close, volume, trades }: Candle, factor: number): string {
  return (
    `{"time":"${timeText(start)}","open":"${floatPrice(open * factor)}","high":"${floatPrice(high * factor)}"` +
    `,"low":"${floatPrice(low * factor)}","close":"${floatPrice(close * factor)}"` +
    `,"volume":"${volume}","trades":${trades}}`
  );
}

export function candlesBody(candles: readonly Candle[], factor: number): Buffer {
  return Buffer.from(`{"data":[${candles.map((candle) => candleJson(candle, factor)).join(',')}]}`);
}

export interface CandleRange {
  readonly interval: CandleInterval;
  /** Unix seconds, half-open on bucket start. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
  /** '' = SOL; undefined = the token's own (SOL, or an equity's stablecoin). */
  readonly quote: Address | '' | undefined;
  readonly fill: boolean;
}
