import { type Static, Type } from 'typebox';
import { tokenExample } from '../../contract/examples.ts';
import { addressListParameter, addressParameter } from '../../contract/parameter.ts';
import { flatPrice, startedPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import {
  Address,
  Count,
  Decimal,
  Digits,
  List,
  Mark,
  Partial,
  QuoteDecimals,
  QuoteMint,
  QuoteSymbol,
  Slot,
  Text,
  Timestamp,
  Venue,
} from '../../contract/scalars.ts';
import { getSolPrice, getSolPriceHistory } from './contract-sol.ts';

/** Fields that tell the unit of amounts and prices; none of them when that is SOL. */
const quoteFields = {
  quote_mint: Type.Optional(QuoteMint),
  quote_symbol: Type.Optional(QuoteSymbol),
  quote_decimals: Type.Optional(QuoteDecimals),
};

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

/** Fields that tell the unit of a sum of fees. */
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
export type EarnedFees = Static<typeof EarnedFees>;

const FeeRecipient = Type.Object({
  wallet: Address('Who earned the fees, or was paid: a creator, or the account that shares them out.'),
  ...feeUnit,
  earned: Digits('Charged while it was the fee creator.'),
  paid: Digits('Paid to it, naming the token.'),
});
export type FeeRecipient = Static<typeof FeeRecipient>;

const FeeCreatorChange = Type.Object({
  time: Type.Optional(Timestamp('Block time.')),
  slot: Slot,
  previous: Type.Optional(Address('Who earned the fees before, where the event tells.')),
  fee_creator: Address('Who earns them since.'),
  reason: Text('What made the change.'),
});
export type FeeCreatorChange = Static<typeof FeeCreatorChange>;

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

const CREATOR = 'Eo6pYFYmbXKmvQDzpQ7aUnwhpiebp8pDLtanSqFEv8g1';
const POOL = 'CYdBaC8bAvMZgiQHNriEDSngZMvRhFBauqKSciaMcUFZ';
const SIDE_POOL = '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

export const tokenPriceExample: TokenPrice = {
  mint: tokenExample.mint,
  price: '0.0000000301',
  price_usd: '0.000004285337',
  slot: 351265123,
  time: '2026-08-01T10:00:00Z',
  venue: 0,
};

export const tokenPricesExample: TokenPrices = {
  data: [tokenPriceExample],
  missing: ['ETghYmaLuWDJjm7vHKTq1m1sHYuGpckNZmgNTMGqc4Y7'],
};

export const poolExample: Pool = {
  pool: POOL,
  venue: 1,
  canonical: true,
  creator: CREATOR,
  created_at: '2026-08-01T10:31:07Z',
  created_slot: 351269780,
  price: '0.00000041',
  price_usd: '0.0000583717',
  quote_reserves: '84829000000',
  token_reserves: '206900000000000',
  liquidity_usd: '24154.21',
  last_trade_at: '2026-08-01T10:40:00Z',
  last_slot: 351271112,
};

export const sidePoolExample: Pool = {
  pool: SIDE_POOL,
  venue: 1,
  canonical: false,
  quote_mint: USDC,
  quote_symbol: 'USDC',
  quote_decimals: 6,
  creator: CREATOR,
  created_at: '2026-08-01T10:35:00Z',
  created_slot: 351270311,
  quote_reserves: '250000000',
  token_reserves: '4200000000000',
  liquidity_usd: '500',
};

export const creatorFeesExample: CreatorFees = {
  mint: tokenExample.mint,
  creator: CREATOR,
  fee_creator: SIDE_POOL,
  data: [{ earned: '1834200911', swaps: 1893, paid: '900000000', payouts: 2, last_paid_at: '2026-08-01T10:38:12Z' }],
  recipients: [
    { wallet: CREATOR, earned: '1000000000', paid: '900000000' },
    { wallet: SIDE_POOL, earned: '834200911', paid: '0' },
  ],
  changes: [
    {
      time: '2026-08-01T10:20:00Z',
      slot: 351268120,
      previous: CREATOR,
      fee_creator: SIDE_POOL,
      reason: 'migrate_creator',
    },
  ],
};

const mint = addressParameter('invalid_mint', 'Token address.');

/** Mints of one question, and how many of them a credit buys. */
const MAX_PRICES = 100;
const PRICES_PER_CREDIT = 25;

export const listPrices = defineRoute({
  path: '/prices',
  tag: 'tokens',
  name: 'listPrices',
  summary: 'Newest prices of several tokens',
  description:
    'In the order of `mints`. A mint that is named twice is answered and charged once; mints of which no price is known are charged too, and listed in `missing`. In the rule `mints` is their number.',
  access: 'key',
  pages: true,
  query: {
    mints: addressListParameter(MAX_PRICES, 'invalid_mint', 'Token addresses, separated by commas or sent one by one.'),
  },
  price: {
    rule: `max(1, ceil(mints/${PRICES_PER_CREDIT}))`,
    compute: (query) => startedPrice(query.mints.length, PRICES_PER_CREDIT),
  },
  pricedBy: ['mints'],
  response: TokenPrices,
  examples: { prices: tokenPricesExample },
});

export const listPools = defineRoute({
  path: '/tokens/{mint}/pools',
  tag: 'tokens',
  name: 'listPools',
  summary: 'Pools of a token, deepest first',
  description:
    'Deepest by the quote that really lies in them; pools of SOL and of stablecoins come before those of other quotes, and pools whose reserves are not known last. At most 100: those that traded last. The curve is no pool.',
  access: 'key',
  pages: true,
  params: { mint },
  price: flatPrice(1),
  response: List(Pool),
  absent: 'token_not_found',
  examples: { pools: { data: [poolExample, sidePoolExample] } },
});

export const getCreatorFees = defineRoute({
  path: '/tokens/{mint}/creator-fees',
  tag: 'tokens',
  name: 'getCreatorFees',
  summary: 'What the creator of a token has earned and been paid',
  description:
    'Earned is what its swaps charged, by unit. Paid counts the payouts that name the token, sweeps and distributions: a creator who collects from a vault that all of their tokens share names none, so that `paid` may stay behind what they have.',
  access: 'key',
  params: { mint },
  price: flatPrice(2),
  response: CreatorFees,
  absent: 'token_not_found',
  examples: { fees: creatorFeesExample },
});

export const PRICES_ROUTES: readonly RouteContract[] = [
  listPrices,
  listPools,
  getCreatorFees,
  getSolPrice,
  getSolPriceHistory,
];
