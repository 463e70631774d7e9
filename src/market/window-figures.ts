import type { Address } from '../chain/address.ts';
import type { TradeFigures } from '../token/trade-figures.ts';
import type { MarketWindows } from './market-windows.ts';

/** What lists say of a token's trades, out of windows over the whole market. */
export function windowFigures(windows: MarketWindows, mint: Address): TradeFigures {
  const series = windows.book.of(mint);
  return {
    now: windows.now,
    trades: series.reduce((sum, { sums }) => sum + sums.hour.buys + sums.hour.sells, 0),
    quotes: series.map(({ quote, sums, before }) => ({
      quote_mint: quote,
      volume: sums.hour.volume,
      beforeFive: before.five.price,
      beforeHour: before.hour.price,
    })),
  };
}
