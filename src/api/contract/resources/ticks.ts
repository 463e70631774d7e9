import { type Static, Type } from 'typebox';
import { Address, QuoteDecimals, QuoteSymbol, Text } from './scalars.ts';

const column = (items: ReturnType<typeof Type.Number> | ReturnType<typeof Type.Integer>, description: string) =>
  Type.Array(items, { description });

export const Ticks = Type.Object(
  {
    mint: Address('Token address.'),
    quote_mint: Text('Empty for SOL.'),
    quote_symbol: Type.Optional(QuoteSymbol),
    quote_decimals: Type.Optional(QuoteDecimals),
    t: column(Type.Integer(), 'Block time, Unix milliseconds at seconds resolution.'),
    p: column(Type.Number(), 'Price per token in the quote unit; raw units while quote_decimals is absent.'),
    s: column(Type.Integer({ minimum: 0, maximum: 1 }), '1 = buy, 0 = sell.'),
    a: column(Type.Number(), 'Amount in the quote unit; raw units while quote_decimals is absent.'),
    dev: column(Type.Integer({ minimum: 0 }), "Indexes of the creator's trades."),
    older: Type.Optional(Text('Opaque: pass it as `before`.')),
    newer: Type.Optional(Text('Opaque: pass it as `after`; repeats the cursor sent when nothing is newer.')),
    history_start: Type.Boolean({ description: 'No earlier swap is indexed.' }),
  },
  { $id: 'Ticks', description: 'Columns of equal length, oldest first.' },
);
export type Ticks = Static<typeof Ticks>;
