import { type Static, Type } from 'typebox';
import { choiceParameter } from '../../contract/parameter.ts';
import { FREE } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Count, List, Timestamp } from '../../contract/scalars.ts';

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

export const balanceExample: Balance = {
  pool: 'general',
  key_id: 12,
  remaining: 36_120,
  capacity: 200_000,
  pct_used: 81,
  warning: 'used_80',
  plan: 'trial',
  reset_at: null,
  rate_limit: { rps: 10, burst: 20 },
  enforced: true,
};

export const dedicatedBalanceExample: Balance = {
  pool: 'dedicated',
  key_id: 13,
  remaining: 0,
  capacity: 50_000,
  pct_used: 100,
  warning: 'exhausted',
  plan: 'basic',
  reset_at: '2026-12-01T10:00:00.000Z',
  rate_limit: { rps: 5, burst: 10 },
  enforced: true,
};

export const usageExample: readonly Usage[] = [
  { key: 'GET /tokens/{mint}/pack', calls: 120, credits: 4_711 },
  { key: 'GET /tokens/{mint}', calls: 1_893, credits: 1_893 },
];

const CREDIT_ROUTE = { tag: 'credits', access: 'account', price: FREE, cacheControl: 'no-store' } as const;

export const getBalance = defineRoute({
  ...CREDIT_ROUTE,
  path: '/account/balance',
  name: 'getBalance',
  summary: 'What is left of the credits that a key pays with',
  description:
    'Answers at 0 credits too. Of the key that is sent; in a session of the account’s general pool. Everything that the answering process has charged is in it.',
  response: Balance,
  errors: ['credits_unavailable'],
  examples: { trial: balanceExample, dedicated: dedicatedBalanceExample },
});

export const listUsage = defineRoute({
  ...CREDIT_ROUTE,
  path: '/account/usage',
  name: 'listUsage',
  summary: 'Where an account’s credits went',
  description:
    'Of all its keys, in whole hours, the current one included. By `route` and by `key` the dearest first, by `hour` the oldest first; hours without calls are left out. With `24h` everything that the answering process has charged is in it; other windows are told again every five seconds.',
  query: {
    window: choiceParameter(USAGE_WINDOWS, '24h', 'invalid_window', 'How far back.'),
    by: choiceParameter(USAGE_KEYS, 'route', 'invalid_param', 'What a row is about.'),
  },
  response: List(Usage),
  errors: ['credits_unavailable'],
  examples: { routes: { data: [...usageExample] } },
});

/** Routes that tell what is left of credits, and where they went. */
export const CREDIT_ROUTES: readonly RouteContract[] = [getBalance, listUsage];
