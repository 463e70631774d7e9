import type { Address } from '../../src/chain/address.ts';
import type { MarketWindows } from '../../src/market/market-windows.ts';
import type { Series, WindowSums } from '../../src/market/series.ts';
import { noSums } from '../../src/market/sums.ts';

const VENUES = [0, 1, 2];
const NOTHING = { five: noSums(), hour: noSums(), day: noSums(), week: noSums() };

/** What windows tell of some tokens, in an order of its own. */
export function toldOf(windows: MarketWindows, mints: readonly Address[]) {
  const isAlive = (each: Series) => each.sums.hour.buys + each.sums.hour.sells > 0;
  const ofMint = (mint: Address) =>
    windows.book
      .of(mint)
      .filter((each) => each.sums.week.buys + each.sums.week.sells > 0)
      .map((each) => ({
        quote: each.quote,
        sums: plain(each.sums),
        // Nothing is told of the price before an hour in which nothing was traded.
        before: isAlive(each) ? [each.before.five.price, each.before.hour.price] : [],
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
    market: VENUES.map((venue) => plain(windows.book.market('')?.[venue] ?? NOTHING)),
  };
}

function plain({ five, hour, day, week }: WindowSums) {
  return { five: { ...five }, hour: { ...hour }, day: { ...day }, week: { ...week } };
}
