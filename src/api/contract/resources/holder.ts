import { type Static, Type } from 'typebox';
import {
  Address,
  Count,
  Decimal,
  Digits,
  QuoteDecimals,
  QuoteMint,
  QuoteSymbol,
  SignedDigits,
  Text,
  Timestamp,
} from './scalars.ts';

export const Holder = Type.Object(
  {
    trader: Address('Wallet.'),
    mint: Address('Token address.'),
    symbol: Type.Optional(Text("The token's symbol.")),
    name: Type.Optional(Text("The token's name.")),
    token_balance: SignedDigits('Raw units held, as far as trades tell.'),
    sol_invested: Type.Optional(
      Digits('Lamports (raw quote units with quote_mint); absent after trades in several quotes.'),
    ),
    sol_received: Type.Optional(Digits('As sol_invested.')),
    tokens_bought: Digits('Raw units.'),
    tokens_sold: Digits('Raw units.'),
    realized_pnl: Type.Optional(SignedDigits('Lamports by running average cost; absent while a basis is unknown.')),
    avg_cost: Type.Optional(Decimal('Quote per token of what is held; absent without a known basis.')),
    current_price: Type.Optional(
      Decimal('Quote per token; absent while the token is priced in another quote than the row.'),
    ),
    first_trade_at: Type.Optional(Timestamp('First trade.')),
    last_trade_at: Type.Optional(Timestamp('Newest trade.')),
    trade_count: Count('Trades.'),
    quote_mint: Type.Optional(QuoteMint),
    quote_symbol: Type.Optional(QuoteSymbol),
    quote_decimals: Type.Optional(QuoteDecimals),
  },
  { $id: 'Holder' },
);
export type Holder = Static<typeof Holder>;
