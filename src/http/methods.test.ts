import { METHODS as PARSED_METHODS } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { SESSION_COOKIES } from '../../test/support/answers/sessions.ts';
import { buildTestApp, TEST_ORIGIN } from '../../test/support/api-app.ts';
import { ask, outcomeOf } from '../../test/support/walk/ask.ts';
import { requestOf } from '../../test/support/walk/requests.ts';
import { EXPOSED_HEADERS } from '../contract/headers.ts';
import { ROUTES } from '../routes.ts';

/** Those of the web's documents and of nobody's too. CONNECT is no request, and OPTIONS is the browsers'. */
const METHODS = PARSED_METHODS.filter((method) => method !== 'CONNECT' && method !== 'OPTIONS');
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].map((path) => [path] as const);

describe.each(PATHS)('%s', (path) => {
  const app = buildTestApp();
  afterAll(() => app.close());
  const routes = ROUTES.filter((route) => route.path === path);
  const [first] = routes;
  const url = first && requestOf(first).url;
  const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

  it('refuses every method that it does not know, whoever asks, and says what it knows', async () => {
    for (const method of METHODS.filter((each) => !allowed.includes(each))) {
      const answer = await ask(app, first!, { method, url: url!, payload: 'not even JSON' } as never);
      if (method !== 'HEAD') expect(outcomeOf(answer)).toBe('method_not_allowed');
      expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, allowed.join(', ')]);
    }
    // The router reads escaped letters as themselves.
    const escaped = String(url).replace(
      /\/api\/(\w)/,
      (_, letter: string) => `/api/%${letter.charCodeAt(0).toString(16)}`,
    );
    const { statusCode, headers } = await app.inject({ method: 'LOCK', url: escaped });
    expect([escaped !== url, statusCode, headers.allow]).toEqual([true, 405, allowed.join(', ')]);
  });

  it('lets a browser ask from any origin, with a key and without cookies', async () => {
    for (const { method } of routes) {
      const { statusCode, headers } = await app.inject({
        method: 'OPTIONS',
        url: url!,
        headers: {
          origin: 'https://example.com',
          'access-control-request-method': method,
          'access-control-request-headers': 'x-api-key,content-type',
        },
      });
      expect(statusCode).toBe(204);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-methods']).toContain(method);
      expect(String(headers['access-control-allow-headers']).toLowerCase()).toContain('x-api-key, content-type');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers['access-control-max-age']).toBe('86400');
    }
  });

  it('answers no page of another origin in a session', async () => {
    for (const route of routes) {
      const headers = { cookie: SESSION_COOKIES, origin: 'https://example.com', 'sec-fetch-site': 'cross-site' };
      const answer = await ask(app, route, requestOf(route, { headers }));
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      expect(answer.headers['access-control-allow-origin']).not.toBe(TEST_ORIGIN);
    }
  });

  it('lets scripts read its headers', async () => {
    const answer = await ask(app, first!, requestOf(first!));
    const exposed = String(answer.headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual([...EXPOSED_HEADERS]);
    expect(exposed).toEqual(
      expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Reset', 'Retry-After']),
    );
  });
});
