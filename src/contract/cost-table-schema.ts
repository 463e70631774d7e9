import { type Static, Type } from 'typebox';
import { Timestamp } from './scalars.ts';

export const RouteCost = Type.Object(
  {
    default: Type.Integer({ minimum: 0, description: 'Price with no query parameters.' }),
    rule: Type.String({ description: 'L stands for the limit parameter.' }),
    params: Type.Array(
      Type.Object({
        name: Type.String(),
        default: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
        max: Type.Optional(Type.Integer({ description: 'Of a list: how many it may hold.' })),
      }),
      { description: 'The parameters that the rule depends on.' },
    ),
    pack: Type.Optional(Type.Boolean({ description: 'Priced on the parts that succeeded.' })),
  },
  { $id: 'RouteCost' },
);

export const CostTable = Type.Object(
  {
    version: Type.Integer({ description: 'Revision of this format.' }),
    cost_version: Type.Integer({ description: 'Revision of the prices.' }),
    unit: Type.Literal('credit'),
    next: Type.Optional(
      Type.Object(
        { cost_version: Type.Integer(), effective_at: Timestamp('When the prices of that revision hold.') },
        { description: 'Prices that are announced, at least 14 days before they hold.' },
      ),
    ),
    routes: Type.Record(Type.String(), RouteCost, { description: 'By `METHOD /path`.' }),
  },
  { $id: 'CostTable' },
);
export type CostTable = Static<typeof CostTable>;
