import { type Static, Type } from 'typebox';
import { Count, Timestamp } from './scalars.ts';

export const CREDIT_WARNINGS = ['used_50', 'used_80', 'used_95', 'exhausted'] as const;
export const USAGE_WINDOWS = ['24h', '7d', '30d'] as const;
export const USAGE_KEYS = ['route', 'key', 'hour'] as const;

export const Balance = Type.Object(
  {
    pool: Type.Enum(['general', 'dedicated'], {
      type: 'string',
      description: 'What calls are paid from: the account’s credits, or a monthly budget of the key’s own.',
    }),
    key_id: Type.Optional(Type.Integer({ description: 'The key that asked. Absent in a session.' })),
    remaining: Count('Credits left. Of a key without a bound 9007199254740991.'),
    capacity: Count('What the pool was given in this period: what is left and what was used.'),
    pct_used: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Share of the capacity that was used, in whole percent.',
    }),
    warning: Type.Union([Type.Null(), Type.Enum([...CREDIT_WARNINGS], { type: 'string' })], {
      description: 'Highest step that was reached: 50, 80 or 95 percent used, or nothing left.',
    }),
    plan: Type.String({ description: 'Name of the plan.' }),
    reset_at: Type.Union([Type.Null(), Timestamp('Next renewal.')], {
      description: 'When what is left expires and the plan’s credits come. Null when nothing renews, as on the trial.',
    }),
    rate_limit: Type.Object(
      { rps: Count('Requests a second.'), burst: Count('Requests at once after a pause.') },
      { description: 'Of the key; in a session, of keys that have no limit of their own.' },
    ),
    enforced: Type.Boolean({ description: 'False counts what calls cost and refuses nothing.' }),
  },
  { $id: 'Balance' },
);
export type Balance = Static<typeof Balance>;

export const Usage = Type.Object(
  {
    key: Type.String({ description: 'The route, the id of the key, or the start of the hour.' }),
    calls: Count('Calls that cost something.'),
    credits: Count('What they cost.'),
  },
  { $id: 'Usage' },
);
export type Usage = Static<typeof Usage>;
