import { type Static, Type } from 'typebox';
import { choiceParameter, parameter, timeParameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute } from '../../contract/route.ts';
import { Count, Digits } from '../../contract/scalars.ts';
import {
  HISTORY_METRICS,
  HISTORY_STEPS,
  type HistoryMetric,
  type HistoryStep,
  MAX_HISTORY_POINTS,
} from './contract-limits.ts';

const STEPS = Object.keys(HISTORY_STEPS) as HistoryStep[];

export const EcosystemHistory = Type.Object(
  {
    metric: Type.Enum([...HISTORY_METRICS], { type: 'string', description: 'As asked for.' }),
    step: Type.Enum([...STEPS], { type: 'string', description: 'As asked for.' }),
    t: Type.Array(Type.Integer(), { description: 'Beginnings of the steps, Unix seconds, ascending.' }),
    v: Type.Array(Type.Union([Digits('Lamports.'), Count('A number.')]), {
      description: 'The value of each step: lamports of volume, tips and fees as strings, numbers of everything else.',
    }),
  },
  { $id: 'EcosystemHistory' },
);
export type EcosystemHistory = Static<typeof EcosystemHistory>;

export const historyExample = {
  ...{ metric: 'volume', step: '1h', t: [1_785_574_800, 1_785_578_400] },
  v: ['18420917000000', '17011200000000'],
} satisfies EcosystemHistory;

export const historyRoute = defineRoute({
  path: '/ecosystem/history',
  tag: 'tokens',
  name: 'ecosystemHistory',
  summary: 'A figure of the ecosystem report, hour by hour or day by day',
  description: `A value is of its step, whatever the suffix of its name. Steps of UTC that begin in [from, to), at most ${MAX_HISTORY_POINTS}; without \`to\` up to the one that is running, which is told as far as it has come, without \`from\` ${HISTORY_STEPS['1h'].points} of an hour or ${HISTORY_STEPS['1d'].points} of a day before \`to\`. A step of which blocks are missing is left out; nothing is told of it. active_traders_1h is estimated of a sketch, with a standard error of 1.6 %.`,
  access: 'key',
  pages: true,
  query: {
    metric: parameter<HistoryMetric>({
      schema: Type.Enum([...HISTORY_METRICS], { type: 'string', description: 'A figure of the report.' }),
      parse: (text) => HISTORY_METRICS.find((name) => name === text),
      absent: 'volume',
      required: true,
      error: 'invalid_param',
      expected: `must be one of ${HISTORY_METRICS.join(', ')}`,
    }),
    step: choiceParameter(STEPS, '1h', 'invalid_param', 'How long a step is.'),
    from: timeParameter('Begins with the step that this is in: RFC 3339, Unix seconds or milliseconds.'),
    to: timeParameter('End, exclusive.'),
  },
  price: flatPrice(3),
  response: EcosystemHistory,
  errors: ['invalid_param', 'warming_up'],
  examples: { history: historyExample },
});
