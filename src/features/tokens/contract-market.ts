import { type Static, Type } from 'typebox';
import { durationParameter } from '../../contract/duration.ts';
import { tokenExample, tokenListRowExample } from '../../contract/examples.ts';
import { choiceParameter, limitParameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Count, Digits, ListSince } from '../../contract/scalars.ts';
import { TokenListRow } from '../../contract/token.ts';
import { GRADUATING_SORTS, MAX_GRADUATING, MAX_TRENDING } from './contract-limits.ts';
import { progressParameter, sparkParameter } from './contract-screen.ts';

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
    'Most lamports first, in the window that ends with the newest block. 5m and 1h begin at a second of block time, others up to a day at a minute, longer ones at an hour, none later than asked for: `since` says at which. Tokenized equities are not listed. `since` is also there where the data begin later than the window, or blocks are missing. Kept for five seconds.',
  access: 'key',
  pages: true,
  query: {
    window: durationParameter({
      ...{ fallback: '24h', min: '1m', max: '168h' },
      error: 'invalid_window',
      description: 'How far back, as a duration of hours, minutes and seconds; a part of a minute counts as one.',
    }),
    limit: limitParameter(50, MAX_TRENDING),
    spark: sparkParameter(),
  },
  price: flatPrice(1),
  response: ListSince(TrendingRow),
  errors: ['warming_up'],
  examples: { tokens: trendingExample },
});

export const GraduatingRow = Type.Object(
  {
    ...TokenListRow.properties,
    progress_pct: Type.Number({ minimum: 0, maximum: 100, description: 'As curve_progress_pct.' }),
    velocity_pct_per_min: Type.Number({
      description:
        'Percent of the curve’s tokens a minute, over the last five minutes, or since the creation where that is later; at least over a minute. Negative while more is sold back than bought.',
    }),
    eta_s: Type.Optional(
      Count(
        'Seconds until it is sold out at this velocity; absent while stalled, or where the velocity is not above 0.',
      ),
    ),
    stalled: Type.Boolean({ description: 'No further than ten minutes ago.' }),
  },
  { $id: 'GraduatingRow' },
);
export type GraduatingRow = Static<typeof GraduatingRow>;

export const graduatingExample = {
  data: [
    {
      ...{ ...tokenListRowExample, ...tokenExample },
      ...{ curve_progress_pct: 91.4, progress_pct: 91.4, velocity_pct_per_min: 1.72, eta_s: 300, stalled: false },
    } satisfies GraduatingRow,
  ],
};

export const listGraduating = defineRoute({
  path: '/tokens/graduating',
  tag: 'tokens',
  name: 'listGraduating',
  summary: 'Tokens on their way to graduation',
  description:
    'Curves in SOL with a swap in the hour that ends with the newest block, without those that are complete. By velocity the fastest first, by eta those that are sold out soonest, and those without one behind them. Curves of which it is not known how many tokens they started with are not listed. `since` is there where the data are younger than an hour, or blocks are missing.',
  access: 'key',
  pages: true,
  query: {
    min_progress: progressParameter('Least progress_pct, two decimals.', 0),
    sort: choiceParameter(GRADUATING_SORTS, 'velocity', 'invalid_param', 'Order of the list.'),
    limit: limitParameter(50, MAX_GRADUATING),
    spark: sparkParameter(),
  },
  price: flatPrice(2),
  response: ListSince(GraduatingRow),
  errors: ['warming_up'],
  examples: { tokens: graduatingExample },
});

export const MARKET_LIST_ROUTES: readonly RouteContract[] = [listTrending, listGraduating];
