import type { Address } from '../chain/address.ts';
import type { TradeFigures } from '../token/trade-figures.ts';
import type { MarketWindows } from './market-windows.ts';
import type { WindowName } from './sum-table.ts';
import { sumsOf } from './sums.ts';
import { CellSums } from './trade-cells.ts';
import { DAY_RING, WEEK_RING } from './trade-ring.ts';

/** What lists say of a token's trades, out of windows over the whole market; with prices of steps where they are asked for. */
export function windowFigures({ book, now, hour }: MarketWindows, mint: Address, isStepped = false): TradeFigures {
  const series = book.of(mint);
  return {
    now,
    isStepped,
    trades: series.reduce((sum, each) => sum + book.swaps(each, 'hour'), 0),
    quotes: series.map((each) => ({
      quote_mint: each.quote,
      volume: book.sums(each, 'hour').volume,
      beforeFive: book.price(each, 'five'),
      beforeHour: book.price(each, 'hour'),
      ...(isStepped && { steps: hour.stepPrices(each) }),
    })),
  };
}

/** What was traded of a token in a quote in the last hour, raw quote units. */
export function volumeOf({ book }: MarketWindows, mint: Address, quote: Address | ''): bigint {
  const series = book.find(mint, quote);
  return series === undefined ? 0n : book.sums(series, 'hour').volume;
}

/** What was traded of a token in one quote. */
export interface Traded {
  readonly mint: Address;
  /** '' is SOL. */
  readonly quote: Address | '';
  /** Swaps on all venues. */
  readonly trades: number;
  /** Raw quote units. */
  readonly volume: bigint;
}

/** What was traded of a token in a window, by quote. */
export function tradedOf({ book }: MarketWindows, mint: Address, window: WindowName): readonly Traded[] {
  return book.of(mint).map((each) => {
    const { buys, sells, volume } = book.sums(each, window);
    return { mint, quote: each.quote, trades: buys + sells, volume };
  });
}

/** Every token that something is held of: one that is traded in several quotes once for each of them. */
export function* heldMints(windows: MarketWindows): IterableIterator<Address> {
  for (const { mint } of windows.book.all()) yield mint;
}

/** Buckets that windows keep: minutes of a day, hours of a week. */
export type BucketName = 'minutes' | 'hours';

/** Where the window of so many buckets begins that ends with the running one, Unix seconds. */
export function bucketsSince(windows: MarketWindows, buckets: BucketName, count: number): number {
  const { width } = buckets === 'minutes' ? DAY_RING : WEEK_RING;
  return windows.now - (windows.now % width) - (count - 1) * width;
}

/** What was traded in the buckets that begin in a span of seconds: of a token and quote once for each venue. */
export function tradedIn(windows: MarketWindows, buckets: BucketName, from: number, until: number): Traded[] {
  const cells = new CellSums(windows.book);
  const ring = buckets === 'minutes' ? windows.day : windows.week;
  ring.addTo(cells, from, until);
  return cells.all().map(({ series: { mint, quote }, counts }) => {
    const { buys, sells, volume } = sumsOf(counts);
    return { mint, quote, trades: buys + sells, volume };
  });
}
