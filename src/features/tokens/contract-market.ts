import { type Static, Type } from 'typebox';
import { durationParameter } from '../../contract/duration.ts';
import { tokenListRowExample } from '../../contract/examples.ts';
import { limitParameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Count, Digits, ListSince } from '../../contract/scalars.ts';
import { TokenListRow } from '../../contract/token.ts';
import { MAX_TRENDING } from './contract-limits.ts';

/** Lists of tokens that windows over all trades put in order. */

export const TrendingRow = Type.Object(
  {
    ...TokenListRow.properties,
    volume: Digits(
      'Lamports traded in the window: SOL, and stablecoins by the price of SOL; other quotes add nothing.',
    ),
    trades: Count('Swaps in the window, in any quote.'),
  },
  { $id: 'TrendingRow' },
);
export type TrendingRow = Static<typeof TrendingRow>;

export const trendingExample = {
  data: [{ ...tokenListRowExample, volume: '9120000000000', trades: 40_211 } satisfies TrendingRow],
};

export const listTrending = defineRoute({
  path: '/tokens/trending',
  tag: 'tokens',
  name: 'listTrending',
  summary: 'Tokens with most volume in a window',
  description:
    'Most lamports first, in the window that ends with the newest block. 5m and 1h begin at a second of block time, others up to a day at a minute, longer ones at an hour: `since` says at which. Tokenized equities are not listed. `since` is also there where the data begin later than the window, or blocks are missing. Kept for five seconds.',
  access: 'key',
  pages: true,
  query: {
    window: durationParameter({
      ...{ fallback: '24h', min: '1m', max: '168h' },
      error: 'invalid_window',
      description: 'How far back, as a duration of hours, minutes and seconds; a part of a minute counts as one.',
    }),
    limit: limitParameter(50, MAX_TRENDING),
  },
  price: flatPrice(1),
  response: ListSince(TrendingRow),
  errors: ['warming_up'],
  examples: { tokens: trendingExample },
});

export const MARKET_LIST_ROUTES: readonly RouteContract[] = [listTrending];
