import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  PAGE_COOKIES,
  SESSION_COOKIES,
  SESSION_TOKEN,
  sessionsDouble,
  TEST_SESSION,
} from '../../test/support/answers/sessions.ts';
import { buildTestApp, TEST_KEY, TEST_ORIGIN, TEST_PRINCIPAL } from '../../test/support/api-app.ts';
import { ask, outcomeOf } from '../../test/support/walk/ask.ts';
import { requestOf, unknownParams } from '../../test/support/walk/requests.ts';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { type Access, type RouteContract, routeErrors, routeName } from '../contract/route.ts';
import type { KeyPrincipal } from '../handlers/caller.ts';
import { ROUTES } from '../routes.ts';

/**
 * Verdicts on each route asked by each caller, strangers among them. The table says them once more, in the words of the
 * specification and not of the code.
 */
type Verdict = 'in' | 'pages' | 'reads' | ErrorCode;

const OWN_PAGE = { 'sec-fetch-site': 'same-origin', origin: TEST_ORIGIN };
const OTHER_PAGE = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
const SIBLING_PAGE = { 'sec-fetch-site': 'same-site', origin: 'https://other.mintscope.example' };

/** Keys in every state that a key can be in. */
const HOLDERS: Readonly<Record<string, Partial<KeyPrincipal>>> = {
  operators: { wallet: undefined },
  revoked: { state: 'revoked' },
  suspended: { state: 'suspended' },
  'of-suspended': { accountState: 'suspended' },
  'of-banned': { accountState: 'banned' },
  'of-not-ready': { accountState: 'not_ready' },
};

const SUCCESS = 'let in';

type Headers = Readonly<Record<string, string>>;
const CALLERS: readonly (readonly [string, Headers, Readonly<Record<Access, Verdict>>])[] = [
  ['nobody', {}, row('missing_api_key', 'missing_api_key', 'missing_api_key', 'session_required')],
  ['a page of nobody’s', OWN_PAGE, row('missing_api_key', 'missing_api_key', 'missing_api_key', 'session_required')],
  ['an unknown key', key('unknown'), row('invalid_api_key', 'invalid_api_key', 'invalid_api_key', 'session_required')],
  [
    'a name of a prototype',
    key('__proto__'),
    row('invalid_api_key', 'invalid_api_key', 'invalid_api_key', 'session_required'),
  ],
  ['an empty key', key(''), row('missing_api_key', 'missing_api_key', 'missing_api_key', 'session_required')],
  ['a key', key(TEST_KEY), row('in', 'in', 'in', 'session_required')],
  ['the operator’s key', key('operators'), row('in', 'in', 'owner_required', 'session_required')],
  ['a revoked key', key('revoked'), row('api_key_revoked', 'api_key_revoked', 'api_key_revoked', 'session_required')],
  [
    'a suspended key',
    key('suspended'),
    row('api_key_suspended', 'api_key_suspended', 'api_key_suspended', 'session_required'),
  ],
  [
    'a suspended account',
    key('of-suspended'),
    row('account_suspended', 'account_suspended', 'account_suspended', 'session_required'),
  ],
  ['a banned account', key('of-banned'), row('account_banned', 'account_banned', 'account_banned', 'session_required')],
  [
    'an account not ready',
    key('of-not-ready'),
    row('account_not_ready', 'account_not_ready', 'account_not_ready', 'session_required'),
  ],
  [
    'a page session',
    { ...OWN_PAGE, cookie: PAGE_COOKIES },
    row('pages', 'missing_api_key', 'missing_api_key', 'session_required'),
  ],
  [
    'a page session elsewhere',
    { ...OTHER_PAGE, cookie: PAGE_COOKIES },
    row('missing_api_key', 'missing_api_key', 'missing_api_key', 'session_required'),
  ],
  ['a session', { ...OWN_PAGE, cookie: SESSION_COOKIES }, row('pages', 'in', 'in', 'in')],
  ['a session of no browser', { cookie: SESSION_COOKIES }, row('missing_api_key', 'in', 'in', 'in')],
  [
    'a session from another origin',
    { ...OTHER_PAGE, cookie: SESSION_COOKIES },
    row('missing_api_key', 'reads', 'reads', 'reads'),
  ],
  [
    'a session from a sibling',
    { ...SIBLING_PAGE, cookie: SESSION_COOKIES },
    row('missing_api_key', 'reads', 'reads', 'reads'),
  ],
  [
    'a made-up session',
    { ...OWN_PAGE, cookie: SESSION_COOKIES.replace(SESSION_TOKEN, 'x') },
    row('missing_api_key', 'session_required', 'session_required', 'session_required'),
  ],
  [
    'an unknown key with a session',
    { ...OWN_PAGE, ...key('unknown'), cookie: SESSION_COOKIES },
    row('invalid_api_key', 'invalid_api_key', 'invalid_api_key', 'in'),
  ],
];

describe.each(ROUTES.map((route) => [routeName(route), route] as const))('%s', (_name, route) => {
  let app: FastifyInstance;
  beforeAll(() => {
    app = buildTestApp({
      keys: {
        find: (text) => {
          if (text === TEST_KEY) return TEST_PRINCIPAL;
          return Object.hasOwn(HOLDERS, text) ? { ...TEST_PRINCIPAL, ...HOLDERS[text] } : undefined;
        },
      },
    });
  });
  afterAll(() => app.close());

  it('is for each caller what its access says', async () => {
    const outcomes: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [caller, headers, verdicts] of CALLERS) {
      const outcome = outcomeOf(await ask(app, route, requestOf(route, { headers })));
      // Let in, and told that there is no such thing: what the doubles know is not everybody's.
      outcomes[caller] = typeof outcome === 'number' || outcome === route.absent ? SUCCESS : outcome;
      expected[caller] = expectedOf(route, verdicts[route.access], headers);
    }
    expect(outcomes).toEqual(expected);
  });

  it('tells whoever may not ask nothing of what they ask for', async () => {
    const params = unknownParams(route);
    const [one, other] = await Promise.all(
      [{}, { params }].map(async (varied) =>
        outcomeOf(await ask(app, route, requestOf(route, { headers: {}, ...varied }))),
      ),
    );
    if (route.access !== 'public') expect(one).toBe(other);
  });

  if (route.access === 'owner' || route.access === 'session') {
    it('answers a foreign id as one that does not exist, and never with 403', () => {
      const refusals = routeErrors(route).filter((code) => ERRORS[code].status === 403);
      expect(
        refusals.filter((code) => !/^(account_|api_key_|invalid_api_key|owner_required|cross_origin)/.test(code)),
      ).toEqual([]);
      const named = Object.keys(route.params).includes('id');
      if (named) expect(ERRORS[route.absent ?? 'internal'].status).toBe(404);
    });
  }
});

it.each(['suspended', 'banned', 'not_ready'] as const)(
  'refuses sessions of an account that is %s everything but to end',
  async (accountState) => {
    const app = buildTestApp({ sessions: sessionsDouble({ find: () => ({ ...TEST_SESSION, accountState }) }) });
    const headers = { ...OWN_PAGE, cookie: SESSION_COOKIES };
    for (const route of ROUTES.filter(({ access, pages }) => access !== 'public' && (access !== 'key' || pages))) {
      const outcome = outcomeOf(await ask(app, route, requestOf(route, { headers })));
      // Whoever is let in nowhere may leave: the cookie is nobody's to delete but ours.
      const expected = route.name === 'logOut' ? 200 : `account_${accountState}`;
      expect([routeName(route), outcome]).toEqual([routeName(route), expected]);
    }
    await app.close();
  },
);

function expectedOf(
  { pages, method, access, ownPagesOnly }: RouteContract,
  verdict: Verdict,
  { 'sec-fetch-site': site }: Headers,
): ErrorCode | typeof SUCCESS {
  // A session is for the browser that asks to open, not for a page that made it ask.
  if (access === 'public' && method !== 'GET') {
    const isOwn = site === 'same-origin' || (site === undefined && !ownPagesOnly);
    return isOwn ? SUCCESS : 'cross_origin';
  }
  if (verdict === 'in') return SUCCESS;
  if (verdict === 'pages') return pages ? SUCCESS : 'missing_api_key';
  if (verdict === 'reads') return method === 'GET' ? SUCCESS : 'cross_origin';
  return verdict;
}

function row(key: Verdict, account: Verdict, owner: Verdict, session: Verdict): Readonly<Record<Access, Verdict>> {
  return { public: 'in', key, account, owner, session };
}

function key(text: string): Headers {
  return { 'x-api-key': text };
}
