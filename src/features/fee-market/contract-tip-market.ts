import { type Static, Type } from 'typebox';
import { windowParameter } from '../../contract/duration.ts';
import { parameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute } from '../../contract/route.ts';
import { Count, Digits, SinceTime, Text } from '../../contract/scalars.ts';
import { FEE_WINDOW_NAMES, FEE_WINDOW_SECONDS, FEE_WINDOWS } from './contract-windows.ts';

/** Characters of a provider's name. */
const MAX_NAME = 60;

const STEP_NAMES = FEE_WINDOW_NAMES.map((name) => FEE_WINDOWS[name].step.name);
const SIZES = 'Lamports, to three digits, less than 1 % too low; absent where blocks of an older version are in it.';

export const TipStep = Type.Object(
  {
    t: Type.Integer({ minimum: 0, description: 'Beginning of the step, Unix seconds.' }),
    provider: Text('Whose wallets were tipped.'),
    count: Count('Transactions that tipped it; one that tips two of its wallets counts once.'),
    p25: Type.Optional(Digits(`A quarter of them tipped it no more. ${SIZES}`)),
    p50: Type.Optional(Digits('As p25.')),
    p75: Type.Optional(Digits('As p25.')),
    p95: Type.Optional(Digits('As p25.')),
    max: Type.Optional(Digits('The most that one of them tipped it, in lamports, exactly; absent as p25.')),
    lamports: Digits('All that it was tipped.'),
  },
  { $id: 'TipStep' },
);
export type TipStep = Static<typeof TipStep>;

export const TipMarket = Type.Object(
  {
    window: Type.Enum([...FEE_WINDOW_NAMES], { type: 'string', description: 'As asked for.' }),
    step: Type.Enum([...STEP_NAMES], { type: 'string', description: 'How long a step is: it goes by the window.' }),
    data: Type.Array(TipStep, {
      description: 'Steps of UTC, ascending, in each the providers that were tipped: most lamports first.',
    }),
    since: SinceTime,
  },
  { $id: 'TipMarket' },
);
export type TipMarket = Static<typeof TipMarket>;

export const tipMarketExample = {
  window: '1h',
  step: '1m',
  data: [
    {
      ...{ t: 1_785_578_400, provider: 'Jito', count: 12_033 },
      ...{ p25: '10000', p50: '100000', p75: '1000000', p95: '5000000', max: '2000000000' },
      lamports: '41023300000',
    },
  ],
} satisfies TipMarket;

export const tipMarket = defineRoute({
  path: '/tip-market',
  tag: 'tokens',
  name: 'tipMarket',
  summary: 'What transactions tip, by provider and step',
  description: `Of all transactions that tipped a known wallet and landed, in the window that ends with the newest block; tips that a reverted transaction declares are never paid, and not in it. Steps are ${FEE_WINDOW_NAMES.map((name) => `${FEE_WINDOWS[name].step.name} for ${name}`).join(', ')}; the first and the last are cut at the ends of the window, so that rows add up to what /tips/by-provider tells. Percentiles are of what a transaction tipped the provider altogether, by nearest rank. Made again every few seconds.`,
  access: 'key',
  pages: true,
  query: {
    window: windowParameter({
      windows: FEE_WINDOW_SECONDS,
      fallback: '1h',
      description: 'How far back; a duration that is as long as one of these is that one.',
    }),
    provider: parameter<string | undefined>({
      schema: Type.String({
        minLength: 1,
        maxLength: MAX_NAME,
        description: 'Only this one, by its name in any case, as rows have it; another is invalid_param.',
        examples: ['Jito', 'bloXroute'],
      }),
      parse: (text) => (text.length >= 1 && text.length <= MAX_NAME ? text : undefined),
      absent: undefined,
      error: 'invalid_param',
      expected: 'must be the name of a provider, such as Jito',
    }),
  },
  price: flatPrice(2),
  response: TipMarket,
  errors: ['invalid_param', 'warming_up'],
  examples: { tips: tipMarketExample },
});
