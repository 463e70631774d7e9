import type { FastifyInstance } from 'fastify';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../test/support/answer-schema.ts';
import { failing } from '../../test/support/answers/failing.ts';
import { metadataDouble } from '../../test/support/answers/metadata.ts';
import { buildTestApp, requiredQuery, TEST_HOLDER, TEST_KEY } from '../../test/support/api-app.ts';
import { createAnswersDouble, KNOWN_MINT, UNKNOWN_MINT } from '../../test/support/token-answers.ts';
import { createMemoryMeter } from '../accounts/credits/credit-meter.ts';
import { ERRORS, type ErrorCode } from './contract/errors.ts';
import { BASE_PATH } from './contract/headers.ts';
import { ErrorBody, Problem } from './contract/resources/error-body.ts';
import { defaultPrice, type RouteContract, routeErrors, routeName } from './contract/route.ts';
import { ROUTES } from './contract/routes.ts';

/** Every route, by its contract, through the whole application. */
describe.each(ROUTES.map((route) => [routeName(route), route] as const))('%s', (_name, route) => {
  const { absent } = route;
  const keyed = route.access === 'key';
  const price = defaultPrice(route);
  let app: FastifyInstance;
  beforeAll(() => {
    app = buildTestApp();
  });
  afterAll(() => app.close());

  const status = route.redirects ? 302 : 200;
  describe(String(status), () => {
    it('answers with what its schema accepts and declares whole', async () => {
      const { statusCode, headers, body } = await get(app, pathOf(route));
      expect(statusCode).toBe(status);
      expect(headers['content-type']).toBe(route.redirects ? undefined : 'application/json; charset=utf-8');
      expect(body === '').toBe(route.redirects);
      expect(answerFaults(route, route.redirects ? headers.location : JSON.parse(body))).toEqual([]);
    });

    it('carries the headers of the contract', async () => {
      const { headers } = await get(app, pathOf(route));
      expect(headers['x-request-id']).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(headers['x-api-version']).toBe('2026-09-01');
      expect(headers['cache-control']).toBe(route.cacheControl);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toContain('X-Credits-Cost');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-credits-cost']).toBe(keyed ? String(price) : undefined);
      expect(headers['x-indexed-slot']).toBe(keyed ? '351265123' : undefined);
      expect(headers['x-data-lag-ms']).toBe(keyed ? '400' : undefined);
    });

    it('charges its default price', async () => {
      const meter = createMemoryMeter({ credits: 1000, enforce: false });
      const metered = buildTestApp({ meter });
      await get(metered, pathOf(route));
      expect(meter.remaining(TEST_HOLDER)).toBe(1000 - (keyed ? price : 0));
      await metered.close();
    });

    it('answers HEAD with the same headers and no body', async () => {
      const response = await app.inject({ method: 'HEAD', url: pathOf(route), headers: { 'x-api-key': TEST_KEY } });
      expect(response.statusCode).toBe(status);
      expect(response.body).toBe('');
      expect(response.headers['cache-control']).toBe(route.cacheControl);
    });

    it('ignores query parameters that it does not know', async () => {
      expect((await get(app, pathOf(route, { colour: 'blue' }))).statusCode).toBe(status);
    });
  });

  if (route.etag) {
    describe('304', () => {
      it('answers a matching If-None-Match without a body', async () => {
        const { headers } = await get(app, pathOf(route));
        const again = await app.inject({
          url: pathOf(route),
          headers: { 'if-none-match': String(headers.etag), 'x-api-key': TEST_KEY },
        });
        expect(again.statusCode).toBe(304);
        expect(again.body).toBe('');
        expect(again.headers.etag).toBe(headers.etag);
      });
    });
  }

  const refused = badValues(route);
  if (refused.length > 0) {
    describe('400', () => {
      it.each(refused)('refuses %s=%s as %s', async (name, value, code) => {
        const response = await get(app, pathOf(route, { [name]: value }));
        expectError(response, code);
        expect(response.json().error.param).toBe(name);
        expect(response.json().error.message).toMatch(new RegExp(`^${name} must be `));
        expect(response.headers['x-credits-cost']).toBeUndefined();
      });

      if (route.query.limit !== undefined) {
        it('tells the maximum of limit', async () => {
          const response = await get(app, `${pathOf(route)}?limit=1000000`);
          expect(response.json().error.details).toEqual({ max: expect.any(Number) });
        });
      }

      it.each([...requiredQuery(route).keys()])('refuses a request without %s', async (name) => {
        const response = await get(app, pathOf(route).replace(/\?.*/, ''));
        expectError(response, route.query[name]!.error);
        expect(response.json().error.param).toBe(name);
      });

      it.each(route.conflicts)('refuses %s together with %s', async (one, other) => {
        expectError(await get(app, `${pathOf(route)}?${one}=p1-1-1-1&${other}=p1-1-1-1`), 'conflicting_params');
      });
    });
  }

  if (keyed) {
    describe('401', () => {
      it('refuses a request without a key', async () => {
        expectError(await app.inject(pathOf(route)), 'missing_api_key');
      });

      it('does not take the key from the URL', async () => {
        expectError(await app.inject(pathOf(route, { key: TEST_KEY })), 'missing_api_key');
      });
    });
  }

  if (keyed) {
    describe('402', () => {
      it('refuses a call that the key cannot pay, and takes nothing', async () => {
        const meter = createMemoryMeter({ credits: price - 1, enforce: true });
        const poor = buildTestApp({ meter });
        const response = await get(poor, pathOf(route));
        expectError(response, 'credits_exhausted');
        expect(response.json().error.details).toEqual({ cost: price, remaining: price - 1 });
        expect(meter.remaining(TEST_HOLDER)).toBe(price - 1);
        await poor.close();
      });
    });
  }

  if (keyed) {
    describe('403', () => {
      it('refuses a key that is not known', async () => {
        expectError(await get(app, pathOf(route), 'nobody'), 'invalid_api_key');
      });
    });
  }

  if (absent !== undefined) {
    describe('404', () => {
      it('says that nothing is known of the mint, for one credit at most', async () => {
        const response = await get(app, pathOf(route, { mint: UNKNOWN_MINT, trader: UNKNOWN_MINT }));
        expectError(response, absent);
        expect(response.headers['x-credits-cost']).toBe(route.freeWhenAbsent ? '0' : '1');
      });
    });
  }

  describe('405', () => {
    it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const)(
      'refuses %s and names what is allowed',
      async (method) => {
        const response = await app.inject({ method, url: pathOf(route), payload: 'not even JSON' });
        expectError(response, 'method_not_allowed');
        expect(response.headers.allow).toBe('GET, HEAD');
      },
    );
  });

  if (keyed) {
    describe('500', () => {
      it('tells nothing of what failed, and costs nothing', async () => {
        const meter = createMemoryMeter({ credits: 1000, enforce: false });
        const fail = () => Promise.reject(new Error('secret table'));
        const broken = buildTestApp({
          meter,
          answers: failing(createAnswersDouble(), fail),
          metadata: failing(metadataDouble(), fail),
        });
        const response = await get(broken, pathOf(route));
        expectError(response, 'internal');
        expect(response.body).not.toContain('secret');
        expect(response.headers['x-credits-cost']).toBe('0');
        expect(meter.remaining(TEST_HOLDER)).toBe(1000);
        await broken.close();
      });
    });
  }

  if (keyed) {
    describe('503', () => {
      it('asks to come back when keys cannot be read', async () => {
        const broken = buildTestApp({ keys: { find: () => Promise.reject(new Error('disk')) } });
        const response = await get(broken, pathOf(route));
        expectError(response, 'keys_unavailable');
        expect(response.headers['retry-after']).toBe('2');
        await broken.close();
      });
    });
  }

  it('documents every error of this test', () => {
    const codes: ErrorCode[] = keyed ? ['missing_api_key', 'invalid_api_key', 'credits_exhausted', 'internal'] : [];
    expect(routeErrors(route)).toEqual(expect.arrayContaining(codes));
  });
});

describe('errors', () => {
  const app = buildTestApp();
  afterAll(() => app.close());

  it('answers an unknown path below the base with 404', async () => {
    expectError(await app.inject(`${BASE_PATH}/nowhere`), 'not_found');
    expectError(await app.inject('/nowhere'), 'not_found');
  });

  it('answers in RFC 9457 when the client accepts it', async () => {
    const response = await app.inject({
      url: `${BASE_PATH}/tokens/x`,
      headers: { accept: 'application/problem+json', 'x-api-key': TEST_KEY },
    });
    expect(response.headers['content-type']).toContain('application/problem+json');
    const body = response.json();
    expect([...Value.Errors(Problem, body)]).toEqual([]);
    expect(body).toMatchObject({
      status: 400,
      code: 'invalid_mint',
      instance: `/req/${response.headers['x-request-id']}`,
    });
  });

  it('names the request in the body as in the header', async () => {
    const response = await app.inject(`${BASE_PATH}/tokens`);
    expect(response.json().error.request_id).toBe(response.headers['x-request-id']);
  });

  it('refuses a parameter that is sent twice', async () => {
    expectError(await get(app, `${BASE_PATH}/tokens?limit=1&limit=2`), 'invalid_limit');
  });
});

function get(app: FastifyInstance, url: string, key: string = TEST_KEY) {
  return app.inject({ url, headers: { 'x-api-key': key } });
}

function expectError(response: Awaited<ReturnType<FastifyInstance['inject']>>, code: ErrorCode): void {
  expect([response.statusCode, response.json().error?.code]).toEqual([ERRORS[code].status, code]);
  expect([...Value.Errors(ErrorBody, response.json())]).toEqual([]);
  expect(response.headers['cache-control']).toBe('no-store');
}

/** The URL of a route; values replace path parameters, or go into the query, which has what it cannot be without. */
function pathOf(route: RouteContract, values: Readonly<Record<string, string>> = {}): string {
  const query = requiredQuery(route);
  for (const [name, value] of Object.entries(values)) if (!(name in route.params)) query.set(name, value);
  const path = route.path.replace(/\{(\w+)\}/g, (_brace, name: string) => values[name] ?? KNOWN_MINT);
  return `${BASE_PATH}${path}${query.size === 0 ? '' : `?${query}`}`;
}

/** Values that no parameter of these names accepts. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  mint: ['x', '0'.repeat(44), KNOWN_MINT.slice(2), `${KNOWN_MINT}1`],
  creator: ['x'],
  limit: ['0', '-1', '1.5', 'ten', '1000000', '1e2'],
  cursor: ['yesterday', '1'],
  order: ['newest'],
  sort: ['best'],
  status: ['2', 'true'],
  failed: ['yes', '2'],
  transfers: ['yes'],
  fill: ['yes'],
  tf: ['2m', '1M'],
  from: ['yesterday', '12345', '2026-08-01'],
  to: ['2026-08-01T10:00:00'],
  quote: ['SOL', 'x'],
  before: ['1', '2026-08-01T10:00:00Z'],
  after: ['1'],
  mints: ['', 'x', `${KNOWN_MINT},`, `${KNOWN_MINT} ${UNKNOWN_MINT}`],
  trader: ['x', `${KNOWN_MINT}1`],
  days: ['0', '61', '-1', '1.5', 'two', '007'],
  window: ['1h', '24', '7d', '168'],
  w: ['2h', '168h', '24'],
  direction: ['both', 'IN'],
  slots: ['0', '151', '-1', '1.5', 'thirty', '0030'],
  parts: ['trust', 'token,trust', 'token,', ' token'],
};

/** Routes that answer what is no address too: that there is nothing. */
const ANY_MINT = ['getTokenMetadata', 'getTokenImage'];

function badValues(route: RouteContract): (readonly [string, string, ErrorCode])[] {
  return Object.entries({ ...route.params, ...route.query }).flatMap(([name, { error }]) => {
    if (name === 'mint' && ANY_MINT.includes(route.name)) return [];
    const values = BAD[name];
    if (values === undefined) throw new Error(`name values that ${name} refuses`);
    return values.map((value) => [name, value, error] as const);
  });
}
