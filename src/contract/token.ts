import { type Static, Type } from 'typebox';
import {
  Address,
  Count,
  Decimal,
  Digits,
  Mark,
  QuoteDecimals,
  QuoteMint,
  QuoteSymbol,
  Text,
  Timestamp,
} from './scalars.ts';

/** Fields of a validator, wherever it is told who leads a slot. */
export const leaderFields = {
  identity: Address('Identity of the validator.'),
  name: Type.Optional(Text('As its operator wrote it, without control characters; absent when they told none.')),
  client: Text('The client that it runs, such as Agave, Jito, Firedancer or Frankendancer; `unknown` while not known.'),
  version: Type.Optional(Text('Of the client, as gossip tells it; absent while not known.')),
  relay_flag: Type.Boolean({ description: 'The validator is known to run the bundle relay client.' }),
  stake: Digits('Active stake in lamports.'),
  country: Type.Optional(Text('ISO country code; only for geo-resolved validators.')),
  city: Type.Optional(Text('Only for geo-resolved validators.')),
};

export const CreatedLeader = Type.Object(leaderFields, { $id: 'CreatedLeader' });
export type CreatedLeader = Static<typeof CreatedLeader>;

export const TokenMetadata = Type.Object(
  {
    image: Type.Optional(Text('Canonical image URL.')),
    twitter: Type.Optional(Type.String()),
    website: Type.Optional(Type.String()),
    telegram: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
  },
  { $id: 'TokenMetadata' },
);
export type TokenMetadata = Static<typeof TokenMetadata>;

/**
 * Fields that snapshot and list rows share. Fields that come from the creation are
 * optional: a token whose creation was never seen is served with what is known.
 */
const tokenFields = {
  mint: Address('Token address.'),
  creator: Type.Optional(Address("The launch's signer.")),
  fee_creator: Type.Optional(Address('The address that earns the creator fees, when it is another one.')),
  name: Type.Optional(Text('As its maker wrote it, without control characters and marks of direction.')),
  symbol: Type.Optional(Text('As name.')),
  uri: Type.Optional(Type.String()),
  decimals: Type.Optional(Count("The token's decimals; absent while unknown.")),
  bonding_curve: Type.Optional(Address('Curve account.')),
  created_at: Type.Optional(Timestamp('Block time of the creation.')),
  created_slot: Type.Optional(Count('Slot of the creation.')),
  status: Type.Optional(
    Type.Enum(['bonding', 'graduated'], {
      type: 'string',
      description:
        '`graduated` after the migration to the AMM; absent on tokens that never were on the launchpad, such as equities.',
    }),
  ),
  graduated_at: Type.Optional(Timestamp('Block time of the migration.')),
  amm_pool: Type.Optional(Address('Canonical pool after graduation.')),
  last_price: Type.Optional(
    Decimal(
      'SOL per token; absent before the first trade. 0 beside quote_mint, where the token is not quoted in SOL: last_quote_price has its price.',
    ),
  ),
  last_trade_at: Type.Optional(Timestamp('Block time of the newest swap.')),
  quote_mint: Type.Optional(QuoteMint),
  last_quote_price: Type.Optional(Decimal('Quote per token, for a non-SOL quote.')),
  quote_symbol: Type.Optional(QuoteSymbol),
  quote_decimals: Type.Optional(QuoteDecimals),
  mayhem: Type.Optional(Type.Boolean({ description: 'Created in mayhem mode: a supply of 2 billion.' })),
  cashback: Type.Optional(Type.Boolean({ description: 'Trades of this token earn cashback.' })),
  complete_at: Type.Optional(Timestamp('The curve filled up; nothing trades until the migration.')),
  curve_progress_pct: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Share of the curve’s tokens that is sold, percent; 100 once complete.',
    }),
  ),
  price_usd: Type.Optional(Decimal('US dollars per token, by SOL or a stablecoin; absent in another quote.')),
  market_cap_usd: Type.Optional(Decimal('price_usd times the supply made, burned tokens left in.')),
  liquidity_usd: Type.Optional(
    Decimal('Twice the quote in the curve or canonical pool after its newest swap, US dollars.'),
  ),
  ath_price: Type.Optional(
    Decimal('Highest price seen, in the unit of last_price, or of last_quote_price beside quote_mint.'),
  ),
  ath_symbol: Type.Optional(
    Text('Symbol of the quote that ath_price is in, SOL too; absent while unknown: quote_mint names it.'),
  ),
  ath_at: Type.Optional(Timestamp('When the highest price was seen.')),
  image: Type.Optional(Text('Image URL.')),
  partial: Type.Optional(
    Mark('The creation was not seen, or only without its block: what happened before the data is not known.'),
  ),
};

export const TokenSnapshot = Type.Object(
  { ...tokenFields, created_leader: Type.Optional(CreatedLeader), metadata: Type.Optional(TokenMetadata) },
  { $id: 'TokenSnapshot' },
);
export type TokenSnapshot = Static<typeof TokenSnapshot>;

/** Points of a row's spark: one for every two minutes of an hour. */
export const SPARK_POINTS = 30;

export const TokenListRow = Type.Object(
  {
    ...tokenFields,
    created_leader: Type.Optional(CreatedLeader),
    vol_1h: Digits('Lamports traded in the last hour (raw quote units for a non-SOL quote).'),
    vol_1h_symbol: Type.Optional(
      Text('Symbol of the quote that vol_1h is counted in, SOL too; absent while unknown: quote_mint names it.'),
    ),
    vol_1h_decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 254,
        description: 'Divide vol_1h by 10 to the power of this; absent while unknown.',
      }),
    ),
    trades_1h: Count('Swaps in the last hour up to the newest block.'),
    change_1h: Type.Optional(Type.Number({ description: 'Percent; absent without an earlier price.' })),
    change_5m: Type.Optional(Type.Number({ description: 'Percent; absent without an earlier price.' })),
    traders: Count('Distinct wallets that ever traded the token, as far as indexed.'),
    spark: Type.Optional(
      Type.Array(Decimal('As last_price, or as last_quote_price beside quote_mint.'), {
        minItems: 1,
        maxItems: SPARK_POINTS,
        description:
          'With spark=1: what the token stood at every two minutes of the hour that ends with the newest block, which is the last point. Fewer points where its price was not known earlier; absent without a price.',
      }),
    ),
    dev_score: Type.Optional(Type.Integer({ description: "The creator's score, 0 to 100." })),
    dev_flags: Type.Optional(
      Type.Array(Type.String(), { description: 'Such as bundle_dev, sibling_cluster, holder_conc.' }),
    ),
    dev_funder: Type.Optional(Address("The wallet that funded the creator's.")),
  },
  { $id: 'TokenListRow' },
);
export type TokenListRow = Static<typeof TokenListRow>;
