import {
  creatorFeesExample,
  poolExample,
  sidePoolExample,
  solPriceExample,
  tokenPricesExample,
} from '../examples/prices.ts';
import { addressListParameter, addressParameter } from '../parameter.ts';
import { FREE, flatPrice, startedPrice } from '../price.ts';
import { CreatorFees, Pool, SolPrice, TokenPrices } from '../resources/price.ts';
import { List } from '../resources/scalars.ts';
import { defineRoute, type RouteContract } from '../route.ts';

const mint = addressParameter('invalid_mint', 'Token address.');

/** Mints of one question, and how many of them a credit buys. */
const MAX_PRICES = 100;
const PRICES_PER_CREDIT = 25;

export const getSolPrice = defineRoute({
  path: '/sol-price',
  tag: 'system',
  name: 'getSolPrice',
  summary: 'SOL in US dollars',
  description:
    'Asked of an exchange about every five seconds, of an aggregator when exchanges do not answer, and served from memory. A simulated chain has a simulated price. 503 warming_up until there is a quote.',
  access: 'public',
  price: FREE,
  response: SolPrice,
  errors: ['warming_up'],
  cacheControl: 'public, max-age=1',
  examples: { price: solPriceExample },
});

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

export const PRICES_ROUTES: readonly RouteContract[] = [listPrices, listPools, getCreatorFees, getSolPrice];
