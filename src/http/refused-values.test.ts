import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp } from '../../test/support/api-app.ts';
import { ask, outcomeOf } from '../../test/support/walk/ask.ts';
import { refusedFields, refusedParameters } from '../../test/support/walk/refused-values.ts';
import { callerOf, requestOf } from '../../test/support/walk/requests.ts';
import { routeName } from '../contract/route.ts';
import { ROUTES } from '../routes.ts';

/** Values that every route refuses in its path, its query and its body, by its contract. */
describe.each(ROUTES.map((route) => [routeName(route), route] as const))('%s', (_name, route) => {
  let app: FastifyInstance;
  beforeAll(() => {
    app = buildTestApp();
  });
  afterAll(() => app.close());

  it('refuses what its parameters refuse, with their codes and names', async () => {
    for (const [name, value, code] of refusedParameters(route)) {
      const place = name in route.params ? 'params' : 'query';
      const answer = await ask(app, route, requestOf(route, { [place]: { [name]: value } }));
      expect([name, value, outcomeOf(answer)]).toEqual([name, value, code]);
      expect(answer.json().error.param).toBe(name);
      expect(answer.json().error.message).toMatch(new RegExp(`^${name} must be `));
      expect(answer.headers['x-credits-cost']).toBe(route.access === 'key' ? '0' : undefined);
    }
  });

  for (const name of Object.keys(route.query)) {
    it(`refuses ${name} sent twice, unless it takes several`, async () => {
      const request = requestOf(route);
      const separator = request.url?.toString().includes('?') === true ? '&' : '?';
      const twice = { ...request, url: `${request.url}${separator}${name}=1&${name}=1` };
      const { repeats, error } = route.query[name]!;
      if (!repeats) expect(outcomeOf(await ask(app, route, twice))).toBe(error);
    });

    if (route.query[name]!.required) {
      it(`refuses a request without ${name}`, async () => {
        const request = requestOf(route);
        const [path = '', sent] = String(request.url).split('?');
        const others = [...new URLSearchParams(sent)].filter(([other]) => other !== name);
        const bare = { ...request, url: `${path}?${new URLSearchParams(others)}` };
        const answer = await ask(app, route, bare);
        expect([outcomeOf(answer), answer.json().error.param]).toEqual([route.query[name]!.error, name]);
      });
    }
  }

  if (route.query.limit !== undefined) {
    it('tells the maximum of limit', async () => {
      const answer = await ask(app, route, requestOf(route, { query: { limit: '1000000' } }));
      expect(answer.json().error.details).toEqual({ max: expect.any(Number) });
    });
  }

  if (route.body !== undefined) {
    it('refuses what its fields refuse, with their codes and names', async () => {
      for (const [name, value, code] of refusedFields(route)) {
        const answer = await ask(app, route, requestOf(route, { fields: { [name]: value } }));
        expect([name, value, outcomeOf(answer)]).toEqual([name, value, code]);
        // Of an object the part that is wrong.
        expect(answer.json().error.param.split('.')[0]).toBe(name);
      }
    });

    it.each([
      ['nothing', '', 'application/json', 'invalid_json'],
      ['half a text', '{"name":', 'application/json', 'invalid_json'],
      ['a list', '[]', 'application/json', 'invalid_json'],
      ['a text', '"name"', 'application/json', 'invalid_json'],
      ['null', 'null', 'application/json', 'invalid_json'],
      ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'application/json', 'invalid_json'],
      ['another type', 'name=sharks', 'application/x-www-form-urlencoded', 'unsupported_media_type'],
      ['a type that is none', '{}', 'json', 'unsupported_media_type'],
      ['a type that only ends in JSON', '{}', 'application/vnd.api+json', 'unsupported_media_type'],
    ])('refuses a body that is %s', async (_what, payload, type, code) => {
      const headers = { ...callerOf(route), 'content-type': type };
      expect(outcomeOf(await ask(app, route, requestOf(route, { payload, headers })))).toBe(code);
    });

    it('refuses a body that is packed, or has no type', async () => {
      const packed = { ...callerOf(route), 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const untyped = { ...callerOf(route), 'content-length': '2' };
      for (const headers of [packed, untyped]) {
        const answer = await ask(app, route, requestOf(route, { payload: '{}', headers }));
        expect(outcomeOf(answer)).toBe('unsupported_media_type');
      }
    });
  } else if (route.method !== 'GET') {
    it.each([
      ['application/json', ''],
      ['application/json', '{"a":'],
      ['text/csv', 'a,b'],
      ['garbage', 'x'],
      ['application/json', 'x'.repeat(300_000)],
    ])('passes over a body of type %s', async (type, payload) => {
      const headers = { ...callerOf(route), 'content-type': type };
      expect((await ask(app, route, requestOf(route, { payload, headers }))).statusCode).toBe(200);
    });
  }
});
