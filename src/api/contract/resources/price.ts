import { type Static, Type } from 'typebox';
import {
  Address,
  Count,
  Decimal,
  Digits,
  Mark,
  Partial,
  QuoteDecimals,
  QuoteMint,
  QuoteSymbol,
  Slot,
  Text,
  Timestamp,
  Venue,
} from './scalars.ts';

/** What tells the unit of amounts and prices; none of them when that is SOL. */
const quoteFields = {
  quote_mint: Type.Optional(QuoteMint),
  quote_symbol: Type.Optional(QuoteSymbol),
  quote_decimals: Type.Optional(QuoteDecimals),
};

export const SolPrice = Type.Object(
  {
    usd: Type.Number({ exclusiveMinimum: 0, description: 'US dollars per SOL.' }),
    stale_s: Count('Age of the quote, seconds.'),
  },
  { $id: 'SolPrice' },
);
export type SolPrice = Static<typeof SolPrice>;

export const TokenPrice = Type.Object(
  {
    mint: Address('Token address.'),
    price: Decimal('Of the newest swap that prices the token: SOL per token, or quote per token with quote_mint.'),
    ...quoteFields,
    price_usd: Type.Optional(Decimal("US dollars per token; absent while the quote's own price is not known.")),
    slot: Slot,
    time: Type.Optional(Timestamp('Block time of that swap.')),
    venue: Venue,
    pool: Type.Optional(Address('The pool it was made in; absent on the curve.')),
  },
  { $id: 'TokenPrice' },
);
export type TokenPrice = Static<typeof TokenPrice>;

export const TokenPrices = Type.Object(
  {
    data: Type.Array(TokenPrice, { description: 'In the order of `mints`, each mint once.' }),
    missing: Type.Array(Address('Token address.'), { description: 'Mints of which no price is known.' }),
  },
  { $id: 'TokenPrices' },
);
export type TokenPrices = Static<typeof TokenPrices>;

export const Pool = Type.Object(
  {
    pool: Address('Pool account.'),
    venue: Venue,
    canonical: Type.Boolean({ description: 'The pool that the token graduated to, and that prices it.' }),
    inverted: Type.Optional(Mark("The program's base is the quote: fees are in the token.")),
    ...quoteFields,
    creator: Type.Optional(Address('Who made the pool.')),
    created_at: Type.Optional(Timestamp('Block time of its making.')),
    created_slot: Type.Optional(Slot),
    price: Type.Optional(Decimal('Of its newest swap, quote per token.')),
    price_usd: Type.Optional(Decimal('US dollars per token.')),
    quote_reserves: Type.Optional(
      Digits(
        'Raw quote units that lie in it after its newest swap, deposit or withdrawal; absent until a migrated pool trades.',
      ),
    ),
    token_reserves: Type.Optional(Digits('Raw token units that lie in it.')),
    v_quote_reserves: Type.Optional(Digits('Raw quote units that price it, where they are others.')),
    liquidity_usd: Type.Optional(Decimal('Twice the quote side, US dollars.')),
    last_trade_at: Type.Optional(Timestamp('Block time of its newest swap.')),
    last_slot: Type.Optional(Slot),
    partial: Type.Optional(Partial),
  },
  { $id: 'Pool' },
);
export type Pool = Static<typeof Pool>;

/** What tells the unit of a sum of fees. */
const feeUnit = {
  ...quoteFields,
  fee_mint: Type.Optional(Address('The token itself: fees of inverted pools, in its raw units.')),
};

const EarnedFees = Type.Object({
  ...feeUnit,
  earned: Digits('Creator fees of its swaps: lamports, or raw units of quote_mint or fee_mint.'),
  swaps: Count('Swaps that charged them.'),
  paid: Digits('What of it was paid out naming the token, by sweeps and distributions.'),
  payouts: Count('Such payouts.'),
  last_paid_at: Type.Optional(Timestamp('Block time of the newest one.')),
});

const FeeRecipient = Type.Object({
  wallet: Address('Who earned the fees, or was paid: a creator, or the account that shares them out.'),
  ...feeUnit,
  earned: Digits('Charged while it was the fee creator.'),
  paid: Digits('Paid to it, naming the token.'),
});

const FeeCreatorChange = Type.Object({
  time: Type.Optional(Timestamp('Block time.')),
  slot: Slot,
  previous: Type.Optional(Address('Who earned the fees before, where the event tells.')),
  fee_creator: Address('Who earns them since.'),
  reason: Text('What made the change.'),
});

export const CreatorFees = Type.Object(
  {
    mint: Address('Token address.'),
    creator: Type.Optional(Address("The launch's signer.")),
    fee_creator: Type.Optional(Address('Who earns the fees now.')),
    holder_reward: Type.Optional(Mark('The creator fee of this token goes to its holders.')),
    data: Type.Array(EarnedFees, { description: 'By unit: the quote, or the token itself.' }),
    recipients: Type.Array(FeeRecipient, { description: 'By wallet and unit, the largest earnings first.' }),
    changes: Type.Array(FeeCreatorChange, { description: 'Changes of the fee creator, newest first, 100 at most.' }),
    partial: Type.Optional(Mark('The creation was not seen: earlier fees may be missing.')),
  },
  { $id: 'CreatorFees' },
);
export type CreatorFees = Static<typeof CreatorFees>;
