import { expect } from 'vitest';
import type { Swap } from '../../src/facts/fact.ts';
import type { CandleQuestion, TrueCandle } from './figure-truth.ts';
import type { JsonRow } from './row-truth.ts';

/** Every interval, seconds. */
export const STEPS = {
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

/** With both ends, one of them and none; cut by the limit and not; filled and not; begun between two buckets. */
export function questions(step: number, swaps: readonly Swap[], now: number): CandleQuestion[] {
  const first = swaps[0]!.time;
  const middle = swaps[Math.floor(swaps.length / 2)]!.time;
  const plain: CandleQuestion[] = [
    { step, limit: 300 },
    { step, limit: 7, to: middle + 1 },
    { step, limit: 7, from: first - 5 * step },
    { step, limit: 4, from: middle },
    { step, limit: 1_500, from: middle - 3 * step, to: now - step },
    { step, limit: 50, from: now + 1 },
  ];
  return plain.flatMap((question) => [question, { ...question, fill: true }]);
}

export function queryOf({ limit, from, to, fill }: CandleQuestion): string {
  const times = [
    from === undefined ? '' : `&from=${from}`,
    to === undefined ? '' : `&to=${new Date(to * 1000).toISOString()}`,
  ];
  return `limit=${limit}${times.join('')}${fill ? '&fill=1' : ''}`;
}

/** SOL per token without a quote; raw units when one is named. */
export function factorOf(swap: Swap, quote: string | undefined): number {
  return quote === undefined ? 10 ** (swap.tokenDecimals - 9) : 1;
}

export function expectCandles(data: readonly JsonRow[], expected: readonly TrueCandle[], tolerance = 1e-12): void {
  const figures = ({ time, volume, trades }: JsonRow | TrueCandle) => ({ time, volume, trades });
  expect(data.map(figures)).toEqual(expected.map(figures));
  for (const [at, { open, high, low, close }] of data.entries()) {
    for (const [place, price] of [open, high, low, close].entries()) {
      const wanted = expected[at]!.prices[place]!;
      expect(Math.abs(Number(price) - wanted)).toBeLessThanOrEqual(tolerance * wanted + 1e-18);
    }
  }
}
