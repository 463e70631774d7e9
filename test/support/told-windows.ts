import type { Address } from '../../src/chain/address.ts';
import type { MarketWindows } from '../../src/market/market-windows.ts';
import type { Series } from '../../src/market/series.ts';
import type { WindowName } from '../../src/market/sum-table.ts';
import { noCounts, type Sums, sumsOf } from '../../src/market/sums.ts';

const VENUES = [0, 1, 2];
const NOTHING = sumsOf(noCounts());

/** What windows tell of some tokens, in an order of its own. */
export function toldOf(windows: MarketWindows, mints: readonly Address[]) {
  const { book } = windows;
  const isAlive = (each: Series) => book.swaps(each, 'hour') > 0;
  const ofMint = (mint: Address) =>
    book
      .of(mint)
      .filter((each) => book.swaps(each, 'week') > 0)
      .map((each) => ({
        quote: each.quote,
        sums: byWindow((window) => book.sums(each, window)),
        // Nothing is told of the price before an hour in which nothing was traded.
        before: isAlive(each) ? [book.price(each, 'five'), book.price(each, 'hour')] : [],
      }))
      .sort((a, b) => (a.quote < b.quote ? -1 : 1));
  return {
    now: windows.now,
    mints: mints.map((mint) => ({
      series: ofMint(mint),
      traders: [windows.hour.tradersOf(mint, 'five'), windows.hour.tradersOf(mint, 'hour')],
    })),
  };
}

/** The same, and what they tell of the whole market in SOL. */
export function toldBy(windows: MarketWindows, mints: readonly Address[]) {
  return {
    ...toldOf(windows, mints),
    active: windows.hour.activeTraders('hour'),
    market: VENUES.map((venue) => byWindow((window) => windows.book.market('', venue, window) ?? NOTHING)),
  };
}

function byWindow(sums: (window: WindowName) => Sums) {
  return { five: sums('five'), hour: sums('hour'), day: sums('day'), week: sums('week') };
}
