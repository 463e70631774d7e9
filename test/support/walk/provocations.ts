import type { InjectOptions } from 'fastify';
import { ADDRESS_RATES, createRateLimits } from '../../../src/accounts/rate-limits.ts';
import { ApiError, type ErrorCode } from '../../../src/contract/errors.ts';
import { BODY_LIMIT_BYTES } from '../../../src/contract/headers.ts';
import type { RouteContract } from '../../../src/contract/route.ts';
import type { KeyPrincipal } from '../../../src/handlers/caller.ts';
import { failing } from '../answers/failing.ts';
import { SESSION_COOKIES, sessionsDouble, TEST_SESSION } from '../answers/sessions.ts';
import { answerDoubles, TEST_PRINCIPAL, type TestParts } from '../api-app.ts';
import { createMemoryMeter } from '../memory-meter.ts';
import { refusedFields, refusedParameters } from './refused-values.ts';
import { callerOf, PAGE_HEADERS, requestOf, unknownParams } from './requests.ts';

const ONE_REQUEST = { rps: 1, burst: 1 };

/** The key of the tests, and its session, in another state. */
function principal(change: Partial<KeyPrincipal>): Partial<TestParts> {
  return {
    keys: { find: () => ({ ...TEST_PRINCIPAL, ...change }) },
    sessions: sessionsDouble({ find: () => ({ ...TEST_SESSION, ...change }) }),
  };
}

const unreadable = () => Promise.reject(new Error('a secret disk is gone'));

/** Troubles around the callers. */
const SURROUNDINGS: Partial<Record<ErrorCode, () => Partial<TestParts>>> = {
  api_key_revoked: () => principal({ state: 'revoked' }),
  api_key_suspended: () => principal({ state: 'suspended' }),
  account_banned: () => principal({ accountState: 'banned' }),
  account_not_ready: () => principal({ accountState: 'not_ready' }),
  account_suspended: () => principal({ accountState: 'suspended' }),
  owner_required: () => principal({ wallet: undefined }),
  keys_unavailable: () => ({ keys: { find: unreadable }, sessions: sessionsDouble({ find: unreadable }) }),
  credits_exhausted: () => ({ meter: createMemoryMeter({ credits: 0, enforce: true }) }),
  credits_unavailable: () => ({ meter: { reserve: unreadable, remaining: () => 0 } }),
};

/** Requests with a wrong caller, or a wrong body. */
const REQUESTS: Partial<Record<ErrorCode, (route: RouteContract) => InjectOptions>> = {
  missing_api_key: asked(PAGE_HEADERS),
  invalid_api_key: asked({ 'x-api-key': 'nobody' }),
  session_required: asked({ ...PAGE_HEADERS, cookie: SESSION_COOKIES.replace(/=.*/, '=gone') }),
  cross_origin: asked({ cookie: SESSION_COOKIES, 'sec-fetch-site': 'cross-site' }),
  invalid_json: (route) => requestOf(route, { payload: '{"a":', headers: json(route) }),
  body_too_large: (route) => {
    const payload = `"${'x'.repeat(BODY_LIMIT_BYTES)}"`;
    return requestOf(route, { payload, headers: json(route) });
  },
  unsupported_media_type: (route) => {
    return requestOf(route, { payload: '{}', headers: { ...callerOf(route), 'content-type': 'text/plain' } });
  },
};

/** Surroundings in which a code can come about. With `refuses`, whoever is to answer refuses with it, or fails. */
export function surroundingsOf(code: ErrorCode, refuses: boolean): Partial<TestParts> {
  const fail = (): never => {
    throw code === 'internal' ? new Error('a secret table') : new ApiError(code);
  };
  return {
    ...(refuses ? { ...failing(answerDoubles(), fail), health: fail } : {}),
    ...SURROUNDINGS[code]?.(),
  };
}

/** Surroundings in which one request is let in, and no other. */
export function oneRequestOnly(): Partial<TestParts> {
  return {
    keys: { find: () => ({ ...TEST_PRINCIPAL, rate: ONE_REQUEST }) },
    limits: createRateLimits({
      clock: { elapsed: () => 0 },
      addressRates: { ...ADDRESS_RATES, reads: ONE_REQUEST, sign_in: ONE_REQUEST, pages: ONE_REQUEST },
      accountRate: ONE_REQUEST,
    }),
  };
}

/**
 * A request that brings a route to a code in such surroundings: by who asks, by
 * what is asked, or by naming what is not there. `refuses` says that the request is
 * a good one, and that the answering side is to refuse it.
 */
export function provoke(
  route: RouteContract,
  code: ErrorCode,
): { readonly request: InjectOptions; readonly refuses: boolean } {
  const request =
    REQUESTS[code]?.(route) ??
    byParameter(route, code) ??
    byConflict(route, code) ??
    byField(route, code) ??
    byAbsence(route, code);
  return { request: request ?? requestOf(route), refuses: request === undefined };
}

function byParameter(route: RouteContract, code: ErrorCode): InjectOptions | undefined {
  const found = refusedParameters(route).find(([, , refusal]) => refusal === code);
  if (found === undefined) return undefined;
  const [name, value] = found;
  return requestOf(route, { [name in route.params ? 'params' : 'query']: { [name]: value } });
}

function byConflict(route: RouteContract, code: ErrorCode): InjectOptions | undefined {
  const [pair] = route.conflicts;
  if (code !== 'conflicting_params' || pair === undefined) return undefined;
  return requestOf(route, { query: { [pair[0]]: 'p1-1-1-1', [pair[1]]: 'p1-1-1-1' } });
}

function byField(route: RouteContract, code: ErrorCode): InjectOptions | undefined {
  const found = refusedFields(route).find(([, , refusal]) => refusal === code);
  return found && requestOf(route, { fields: { [found[0]]: found[1] } });
}

function byAbsence(route: RouteContract, code: ErrorCode): InjectOptions | undefined {
  return route.absent === code ? requestOf(route, { params: unknownParams(route) }) : undefined;
}

function asked(headers: Readonly<Record<string, string>>): (route: RouteContract) => InjectOptions {
  return (route) => requestOf(route, { headers });
}

function json(route: RouteContract): Readonly<Record<string, string>> {
  return { ...callerOf(route), 'content-type': 'application/json' };
}
