import { type Static, Type } from 'typebox';
import { Count, Decimal, Digits, Timestamp } from './scalars.ts';

export const CANDLE_INTERVALS = ['1s', '5s', '30s', '1m', '5m', '15m', '1h', '4h', '1d'] as const;

export const Candle = Type.Object(
  {
    time: Timestamp('Start of the bucket; buckets are aligned to the Unix epoch.'),
    open: Decimal('Price of the first trade in the bucket.'),
    high: Decimal('Highest price.'),
    low: Decimal('Lowest price.'),
    close: Decimal('Price of the last trade.'),
    volume: Digits('Lamports; raw quote units with `quote`.'),
    trades: Count('Swaps in the bucket.'),
  },
  {
    $id: 'Candle',
    description:
      'SOL per token; with `quote`, raw quote per raw token (times 10^(decimals − quote_decimals) for whole units).',
  },
);
export type Candle = Static<typeof Candle>;
