import type { Address } from '../chain/address.ts';
import type { TradeFigures } from '../token/trade-figures.ts';
import type { MarketWindows } from './market-windows.ts';

/** What lists say of a token's trades, out of windows over the whole market. */
export function windowFigures({ book, now }: MarketWindows, mint: Address): TradeFigures {
  const series = book.of(mint);
  return {
    now,
    trades: series.reduce((sum, each) => sum + book.swaps(each, 'hour'), 0),
    quotes: series.map((each) => ({
      quote_mint: each.quote,
      volume: book.sums(each, 'hour').volume,
      beforeFive: book.price(each, 'five').price,
      beforeHour: book.price(each, 'hour').price,
    })),
  };
}
