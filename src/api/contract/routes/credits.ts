import { balanceExample, dedicatedBalanceExample, usageExample } from '../examples/credits.ts';
import { choiceParameter } from '../parameter.ts';
import { FREE } from '../price.ts';
import { Balance, USAGE_KEYS, USAGE_WINDOWS, Usage } from '../resources/credits.ts';
import { List } from '../resources/scalars.ts';
import { defineRoute, type RouteContract } from '../route.ts';

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

/** What is left of credits, and where they went. */
export const CREDIT_ROUTES: readonly RouteContract[] = [getBalance, listUsage];
