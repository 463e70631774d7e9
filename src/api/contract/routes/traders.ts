import { tokenExample } from '../examples/tokens.ts';
import { holderCountExample, traderExample } from '../examples/traders.ts';
import { addressListParameter, addressParameter, choiceParameter, limitParameter } from '../parameter.ts';
import { flatPrice, ROW_RULE, rowPrice, startedPrice } from '../price.ts';
import { List } from '../resources/scalars.ts';
import { HISTORY_INTERVALS, HolderHistory, TokenBatch, Trader } from '../resources/trader.ts';
import { defineRoute, type RouteContract } from '../route.ts';

const mint = addressParameter('invalid_mint', 'Token address.');

/** Tokens of a batch, and how many of them a credit buys. */
const MAX_BATCH = 50;
const BATCH_PER_CREDIT = 5;

export const batchTokens = defineRoute({
  path: '/tokens/batch',
  tag: 'tokens',
  name: 'batchTokens',
  summary: 'Several tokens as they stand',
  description:
    'Snapshots in the order of `mints`, each the very bytes of GET /tokens/{mint}. A mint that is named twice is answered and charged once; mints of which nothing is known are charged too, and listed in `missing`. In the rule `mints` is their number.',
  access: 'key',
  query: {
    mints: addressListParameter(MAX_BATCH, 'invalid_mint', 'Token addresses, separated by commas or sent one by one.'),
  },
  price: {
    rule: `max(1, ceil(mints/${BATCH_PER_CREDIT}))`,
    compute: (query) => startedPrice(query.mints.length, BATCH_PER_CREDIT),
  },
  pricedBy: ['mints'],
  response: TokenBatch,
  examples: { batch: { data: [tokenExample], missing: ['ETghYmaLuWDJjm7vHKTq1m1sHYuGpckNZmgNTMGqc4Y7'] } },
});

export const listTraders = defineRoute({
  path: '/tokens/{mint}/traders',
  tag: 'tokens',
  name: 'listTraders',
  summary: 'Wallets that traded a token, best first',
  description:
    'By `realized`, known profits come first, largest first, those in the token’s own quote before those in others; unknown ones come last, by trades. `volume` and `bought` are in the token’s own quote. Equal ones are in order of address.',
  access: 'key',
  params: { mint },
  query: {
    sort: choiceParameter(
      ['realized', 'volume', 'bought', 'trades'],
      'realized',
      'invalid_param',
      'Order: realized profit, paid and received, paid, or number of trades.',
    ),
    limit: limitParameter(50, 500),
  },
  price: { rule: ROW_RULE, compute: (query) => rowPrice(query.limit) },
  pricedBy: ['limit'],
  response: List(Trader),
  absent: 'token_not_found',
  examples: { traders: { data: [traderExample] } },
});

export const getHolderHistory = defineRoute({
  path: '/tokens/{mint}/holders/history',
  tag: 'tokens',
  name: 'getHolderHistory',
  summary: 'How many wallets held a token over time',
  description:
    'A wallet holds while it has bought more than it sold; token sends do not count. One row for each bucket from the first trade on, ascending, buckets without a trade repeat what was: the last day in 5m, the last week in 1h, the last year in 1d.',
  access: 'key',
  params: { mint },
  query: { tf: choiceParameter(HISTORY_INTERVALS, '1h', 'invalid_tf', 'Interval.') },
  price: flatPrice(3),
  response: HolderHistory,
  absent: 'token_not_found',
  examples: { history: { data: [holderCountExample] } },
});

export const TRADERS_ROUTES: readonly RouteContract[] = [batchTokens, listTraders, getHolderHistory];
