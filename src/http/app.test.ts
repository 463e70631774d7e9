import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../test/support/answer-schema.ts';
import { buildTestApp, TEST_PRINCIPAL } from '../../test/support/api-app.ts';
import { createMemoryMeter } from '../../test/support/memory-meter.ts';
import { ask } from '../../test/support/walk/ask.ts';
import { requestOf, SESSION_HEADERS } from '../../test/support/walk/requests.ts';
import { defaultPrice, routeName } from '../contract/route.ts';
import { ROUTES } from '../routes.ts';

/** Successful answers of every route, held to its contract through the whole application. */
describe.each(ROUTES.map((route) => [routeName(route), route] as const))('%s', (_name, route) => {
  const charged = route.access === 'key';
  const price = charged ? defaultPrice(route) : 0;
  const status = route.redirects ? 302 : 200;
  let app: FastifyInstance;
  beforeAll(() => {
    app = buildTestApp();
  });
  afterAll(() => app.close());

  it('answers with what its schema accepts and declares whole', async () => {
    const { statusCode, headers, body } = await ask(app, route, requestOf(route));
    expect([statusCode, body]).toEqual([status, expect.any(String)]);
    expect(headers['content-type']).toBe(route.redirects ? undefined : 'application/json; charset=utf-8');
    expect(body === '').toBe(route.redirects);
    expect(answerFaults(route, route.redirects ? headers.location : JSON.parse(body))).toEqual([]);
  });

  it('carries the headers of the contract', async () => {
    const { headers } = await ask(app, route, requestOf(route));
    expect(headers['cache-control']).toBe(route.cacheControl);
    expect(headers['access-control-expose-headers']).toContain('X-Credits-Cost');
    expect(headers['x-credits-cost']).toBe(charged ? String(price) : undefined);
    expect(headers['x-indexed-slot']).toBe(charged ? '351265123' : undefined);
    expect(headers['x-data-lag-ms']).toBe(charged ? '400' : undefined);
  });

  it('tells the limit of whoever asks, unless that is a stranger', async () => {
    const { headers } = await ask(app, route, requestOf(route));
    const owner = route.access === 'session' ? '"account"' : '"key"';
    const told = route.access === 'public' ? undefined : expect.stringContaining(`${owner};`);
    expect(headers['ratelimit-policy']).toEqual(told);
    expect(headers.ratelimit).toEqual(told);
    for (const part of ['limit', 'remaining', 'reset']) {
      expect(headers[`x-ratelimit-${part}`]).toEqual(told && expect.stringMatching(/^\d+$/));
    }
  });

  it('charges its default price', async () => {
    const meter = createMemoryMeter({ credits: 1000, enforce: false });
    const metered = buildTestApp({ meter });
    await ask(metered, route, requestOf(route));
    expect(meter.remaining(TEST_PRINCIPAL)).toBe(1000 - price);
    await metered.close();
  });

  it('ignores query parameters that it does not know', async () => {
    expect((await ask(app, route, requestOf(route, { query: { colour: 'blue' } }))).statusCode).toBe(status);
  });

  if (route.method === 'GET') {
    it('answers HEAD as GET, without a body, at the same price', async () => {
      const meter = createMemoryMeter({ credits: 1000, enforce: false });
      const metered = buildTestApp({ meter });
      const answer = await ask(metered, route, { ...requestOf(route), method: 'HEAD' });
      expect([answer.statusCode, answer.body]).toEqual([status, '']);
      expect(answer.headers['cache-control']).toBe(route.cacheControl);
      expect(meter.remaining(TEST_PRINCIPAL)).toBe(1000 - price);
      await metered.close();
    });
  }

  if (route.body !== undefined) {
    it('ignores fields that it does not know, whatever their names', async () => {
      const { payload } = requestOf(route);
      const sent = Object.entries(payload as object).map((entry) =>
        entry.map((part) => JSON.stringify(part)).join(':'),
      );
      const text = `{${[...sent, '"colour":"blue"', '"__proto__":{"name":7}', '"constructor":1'].join(',')}}`;
      const headers = { ...requestOf(route).headers, 'content-type': 'application/json;charset="UTF-8"' };
      const answer = await ask(app, route, { ...requestOf(route), payload: text, headers });
      expect([answer.statusCode, answer.body]).toEqual([status, expect.any(String)]);
      expect(({} as { name?: unknown }).name).toBeUndefined();
    });
  }

  if (route.access === 'account' || route.access === 'owner') {
    it('answers a session as it answers a key', async () => {
      const answer = await ask(app, route, requestOf(route, { headers: SESSION_HEADERS }));
      expect([answer.statusCode, answer.headers.ratelimit]).toEqual([status, expect.stringContaining('"account";')]);
    });
  }

  if (route.etag) {
    it('answers a matching If-None-Match with 304 and without a body', async () => {
      const request = requestOf(route);
      const { headers } = await ask(app, route, request);
      const again = await ask(app, route, {
        ...request,
        headers: { ...request.headers, 'if-none-match': String(headers.etag) },
      });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
    });
  }
});
