import { type Static, Type } from 'typebox';
import { choiceParameter, timeParameter } from '../../contract/parameter.ts';
import { FREE, flatPrice } from '../../contract/price.ts';
import { defineRoute } from '../../contract/route.ts';
import { Count } from '../../contract/scalars.ts';
import { MAX_SOL_HISTORY_POINTS, SOL_HISTORY_STEPS, type SolHistoryStep } from './contract-limits.ts';

const STEPS = Object.keys(SOL_HISTORY_STEPS) as SolHistoryStep[];

export const SolPrice = Type.Object(
  {
    usd: Type.Number({ exclusiveMinimum: 0, description: 'US dollars per SOL.' }),
    stale_s: Count('Age of the quote, seconds.'),
  },
  { $id: 'SolPrice' },
);
export type SolPrice = Static<typeof SolPrice>;

export const SolPriceHistory = Type.Object(
  {
    step: Type.Enum([...STEPS], { type: 'string', description: 'As asked for.' }),
    t: Type.Array(Type.Integer(), { description: 'Beginnings of the steps with a quote, Unix seconds, ascending.' }),
    usd: Type.Array(Type.Number({ exclusiveMinimum: 0 }), {
      description: 'US dollars per SOL, by the last quote of each step.',
    }),
  },
  { $id: 'SolPriceHistory' },
);
export type SolPriceHistory = Static<typeof SolPriceHistory>;

export const solPriceExample: SolPrice = { usd: 142.37, stale_s: 2 };

export const solPriceHistoryExample: SolPriceHistory = {
  ...{ step: '1m', t: [1_785_578_400, 1_785_578_460, 1_785_578_580] },
  usd: [142.31, 142.37, 142.4],
};

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

export const getSolPriceHistory = defineRoute({
  path: '/sol-price/history',
  tag: 'system',
  name: 'getSolPriceHistory',
  summary: 'SOL in US dollars, minute by minute, hour by hour or day by day',
  description: `As this service was told it, out of its store: the last quote of each step of UTC that begins in [from, to), at most ${MAX_SOL_HISTORY_POINTS} steps. Without \`to\` up to the step that is running, which is told as far as it has come; without \`from\` ${SOL_HISTORY_STEPS['1m'].points} minutes, ${SOL_HISTORY_STEPS['1h'].points} hours or ${SOL_HISTORY_STEPS['1d'].points} days before \`to\`. A step without a quote is absent: the service did not run, or nobody answered.`,
  access: 'key',
  pages: true,
  query: {
    step: choiceParameter(STEPS, '1h', 'invalid_param', 'How long a step is.'),
    from: timeParameter('Begins with the step that this is in: RFC 3339, Unix seconds or milliseconds.'),
    to: timeParameter('End, exclusive.'),
  },
  price: flatPrice(1),
  response: SolPriceHistory,
  errors: ['invalid_param'],
  examples: { history: solPriceHistoryExample },
});
