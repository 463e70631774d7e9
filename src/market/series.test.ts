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
    book.release(book.take(MINT, USDC));
    expect(book.find(MINT, USDC)).toBe(all[1]);
    for (const series of all) book.release(series);
    expect([book.size, book.of(MINT), [...book.all()]]).toEqual([0, [], []]);
  });

  it('get numbers of those that are forgotten', () => {
    const book = new SeriesBook();
    const first = book.take(MINT, '');
    book.release(first);
    expect(book.take(MINT, USDC).number).toBe(first.number);
    expect(book.find(MINT, '')).toBeUndefined();
  });

  it('make no market by being asked for one, and leave none behind', () => {
    const book = new SeriesBook();
    expect(book.market(USDC)).toBeUndefined();
    const series = [MINT, address(12)].map((mint) => book.take(mint, USDC));
    expect(series[0]!.market).toBe(series[1]!.market);
    expect(book.market(USDC)).toBe(series[0]!.market);
    for (const each of series) book.release(each);
    expect(book.market(USDC)).toBeUndefined();
  });

  it('of a token in ten thousand quotes are found as fast as of any', () => {
    const book = new SeriesBook();
    const quotes = Array.from({ length: 10_000 }, (_, at) => `quote${at}` as typeof USDC);
    const series = quotes.map((quote) => book.take(MINT, quote));
    for (const [at, quote] of quotes.entries()) expect(book.find(MINT, quote)).toBe(series[at]);
    const begunAt = performance.now();
    for (let round = 0; round < 20; round += 1) {
      for (const quote of quotes) book.release(book.take(MINT, quote));
    }
    // Two hundred thousand: minutes if each were looked for among all of them.
    expect(performance.now() - begunAt).toBeLessThan(10_000);
  });
});
