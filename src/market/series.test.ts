import { describe, expect, it } from 'vitest';
import { address } from '../../test/support/token-world-rows.ts';
import { SeriesBook } from './series.ts';

const MINT = address(11);
const [USDC, EURC] = [address(31), address(32)] as const;

describe('series of tokens', () => {
  it('are one for each quote, as long as anything refers to them', () => {
    const book = new SeriesBook();
    const all = (['', USDC, EURC] as const).map((quote) => book.take(MINT, quote));
    expect(book.of(MINT)).toEqual(all);
    expect(book.find(MINT, USDC)).toBe(all[1]);
    book.release(book.take(MINT, USDC).number);
    expect(book.find(MINT, USDC)).toBe(all[1]);
    for (const { number } of all) book.release(number);
    expect([book.size, book.of(MINT), [...book.all()]]).toEqual([0, [], []]);
  });

  it('get numbers of those that are forgotten', () => {
    const book = new SeriesBook();
    const first = book.take(MINT, '');
    book.release(first.number);
    expect(book.take(MINT, USDC).number).toBe(first.number);
    expect(book.find(MINT, '')).toBeUndefined();
  });

  it('make no market by being asked for one, and leave none behind', () => {
    const book = new SeriesBook();
    const counts = { buys: 1, sells: 0, low: 7, high: 1 };
    expect(book.market(USDC, 1, 'day')).toBeUndefined();
    const series = [MINT, address(12)].map((mint) => book.take(mint, USDC));
    for (const each of series) book.count(each.number, { venue: 1, window: 'day' }, counts, 1);
    expect(book.market(USDC, 1, 'day')).toEqual({ buys: 2, sells: 0, volume: 2n ** 33n + 14n });
    for (const { number } of series) book.release(number);
    expect(book.market(USDC, 1, 'day')).toBeUndefined();
  });

  it('begin with nothing, whatever was counted under their numbers before', () => {
    const book = new SeriesBook();
    const first = book.take(MINT, EURC);
    book.count(first.number, { venue: 2, window: 'hour' }, { buys: 0, sells: 3, low: 1, high: 0 }, 1);
    book.prices.set(first.number, 'five', 2, 5);
    book.release(first.number);
    const next = book.take(address(12), USDC);
    expect(next.number).toBe(first.number);
    expect([book.swaps(next, 'hour'), book.market(USDC, 2, 'hour')?.sells]).toEqual([0, 0]);
    expect([book.price(next, 'five'), book.prices.slot(next.number, 'five')]).toEqual([0, 0]);
  });

  it('of a token in ten thousand quotes are found as fast as of any', () => {
    const book = new SeriesBook();
    const quotes = Array.from({ length: 10_000 }, (_, at) => `quote${at}` as typeof USDC);
    const series = quotes.map((quote) => book.take(MINT, quote));
    for (const [at, quote] of quotes.entries()) expect(book.find(MINT, quote)).toBe(series[at]);
    const begunAt = performance.now();
    for (let round = 0; round < 20; round += 1) {
      for (const quote of quotes) book.release(book.take(MINT, quote).number);
    }
    // Two hundred thousand: minutes if each were looked for among all of them.
    expect(performance.now() - begunAt).toBeLessThan(10_000);
  });
});
