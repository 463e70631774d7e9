import { describe, expect, it } from 'vitest';
import { address } from '../../test/support/token-world-rows.ts';
import { SeriesBook } from './series.ts';
import { DAY_RING, TradeRing } from './trade-ring.ts';

const START = 1_790_000_040;
const DAY_S = 86_400;
const ONE = { buys: 1, sells: 0, low: 5, high: 0 };

/** A minute with three tokens, which has just left the day, and is out of its sums in part. */
function leaving() {
  const book = new SeriesBook();
  const ring = new TradeRing(book, DAY_RING, 1);
  ring.moveTo(START);
  const series = [11, 12, 13].map((number) => book.take(address(number), ''));
  for (const each of series) ring.add({ series: each, venue: 0, time: START }, ONE);
  ring.moveTo(START + DAY_S + 60);
  ring.tidy();
  return { book, ring, series, buys: () => series.map((each) => book.sums(each, 'day').buys) };
}

describe('a minute that leaves the day', () => {
  it('is out of all sums once they are read', () => {
    const { buys } = leaving();
    expect(buys()).toEqual([0, 0, 0]);
  });

  it('is out of them as it was counted, though it changes meanwhile', () => {
    const { ring, series, buys } = leaving();
    for (const each of series) ring.add({ series: each, venue: 0, time: START }, ONE);
    expect(buys()).toEqual([0, 0, 0]);
    ring.moveTo(START + DAY_S);
    expect(buys()).toEqual([2, 2, 2]);
  });

  it('is whole again when the newest blocks are withdrawn', () => {
    const { ring, buys } = leaving();
    ring.moveTo(START + DAY_S);
    expect(buys()).toEqual([1, 1, 1]);
    ring.moveTo(START + DAY_S + 60);
    expect(buys()).toEqual([0, 0, 0]);
  });

  it('lets go of its tokens, piece by piece', () => {
    const { book, ring, series } = leaving();
    for (const { number } of series) book.release(number);
    ring.moveTo(START + DAY_S + 120);
    for (let block = 0; block < 3; block += 1) ring.tidy();
    expect(book.size).toBe(2);
    for (let block = 0; block < 3; block += 1) ring.tidy();
    expect([book.size, ring.cells]).toEqual([0, 0]);
  });
});
