import { type Static, Type } from 'typebox';
import { Count, Digits, QuoteDecimals, QuoteSymbol, Text, Timestamp } from './scalars.ts';

export const ActivityWindow = Type.Object(
  {
    w: Type.Enum(['5m', '1h', '24h'], { type: 'string' }),
    vol: Digits('Lamports, SOL-quoted swaps only.'),
    vol_quote: Type.Optional(Digits('Raw quote units, when quote_mint is set.')),
    txns: Count('Swaps.'),
    buys: Count('Buys.'),
    sells: Count('Sells.'),
    buyers: Count('Wallets that bought.'),
    sellers: Count('Wallets that sold.'),
  },
  { $id: 'ActivityWindow' },
);

export const FlowMinute = Type.Object(
  {
    t: Type.Integer({ description: 'Start of the minute, Unix seconds.' }),
    buy: Digits('Bought, in the unit of the token’s volume.'),
    sell: Digits('Sold, in the unit of the token’s volume.'),
  },
  { $id: 'FlowMinute' },
);

export const Activity = Type.Object(
  {
    quote_mint: Text(
      'The mint that more than half of the 24-hour swaps were quoted in; empty for SOL, and with several quotes besides SOL.',
    ),
    quote_symbol: Type.Optional(QuoteSymbol),
    quote_decimals: Type.Optional(QuoteDecimals),
    windows: Type.Array(ActivityWindow),
    flow: Type.Array(FlowMinute),
    recent_ids: Type.Array(Text('`sig:ix_index`.'), {
      description: 'Swaps since recent_since that the answer already holds.',
    }),
    recent_since: Timestamp(
      'Start of recent_ids: swaps that come after the answer are no older, and count unless they are listed.',
    ),
  },
  { $id: 'Activity' },
);
export type Activity = Static<typeof Activity>;
