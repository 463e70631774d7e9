import helmet from '@fastify/helmet';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../test/support/api-app.ts';
import { KNOWN_MINT } from '../../test/support/token-answers.ts';
import { createOwnOrigin } from '../accounts/sessions/own-origin.ts';
import { BASE_PATH } from '../contract/headers.ts';

/** Headers in which ours differ from those of the library of the same name, and the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'content-security-policy': 'an answer of ours needs nothing at all, and may not be framed',
  'x-frame-options': 'not even we frame an answer',
};

const metrics = { contentType: 'text/plain; version=0.0.4', text: async () => 'up 1\n' };
const app = buildTestApp({ metrics });
const plain = buildTestApp({
  metrics,
  ownOrigin: createOwnOrigin({ publicUrl: undefined, host: '127.0.0.1', port: () => 8080 }),
});
afterAll(() => Promise.all([app.close(), plain.close()]));

const token = `${BASE_PATH}/tokens/${KNOWN_MINT}`;
const ANSWERS = [
  ['an answer', { url: token, headers: { 'x-api-key': TEST_KEY } }, 200],
  ['a refusal', { url: token }, 401],
  ['a problem', { url: token, headers: { accept: 'application/problem+json' } }, 401],
  ['a method that is not known', { method: 'PUT', url: token }, 405],
  ['a path that is not there', { url: '/nowhere' }, 404],
  ['a path that is no text', { url: '/%ff' }, 400],
  [
    'a preflight',
    {
      method: 'OPTIONS',
      url: token,
      headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
    },
    204,
  ],
  ['the prices', { url: `${BASE_PATH}/credits/costs` }, 200],
  ['the document', { url: '/openapi.json' }, 200],
  ['a page about an error', { url: '/errors/invalid_mint' }, 200],
  ['the metrics', { url: '/metrics' }, 200],
  ['a probe', { url: '/ready' }, 200],
  ['the health outside the API', { url: '/health' }, 200],
] as const;

describe.each(ANSWERS)('%s', (_what, request, status) => {
  it('carries what the library sets, or something stricter for a reason', async () => {
    const library = Fastify();
    await library.register(helmet);
    library.get('/', () => ({}));
    const { headers: theirs } = await library.inject('/');
    const { statusCode, headers: ours } = await app.inject({ ...request });
    expect(statusCode).toBe(status);
    const set = Object.keys(theirs).filter(
      (name) => !['content-type', 'content-length', 'date', 'connection'].includes(name),
    );
    expect(set.length).toBeGreaterThan(10);
    for (const name of set) {
      const expected = name in OTHERWISE ? expect.any(String) : theirs[name];
      expect([name, ours[name]]).toEqual([name, expected]);
    }
    expect(ours['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(ours['x-frame-options']).toBe('DENY');
    expect(ours['x-powered-by']).toBeUndefined();
    expect(ours.server).toBeUndefined();
    await library.close();
  });

  it('tells browsers to keep to https only where the service is published by it', async () => {
    expect((await app.inject({ ...request })).headers['strict-transport-security']).toMatch(/^max-age=31536000/);
    expect((await plain.inject({ ...request })).headers['strict-transport-security']).toBeUndefined();
  });
});

describe('the page of the documentation', () => {
  it.each(['/docs/', '/docs/static/swagger-ui.css', '/docs/json'])(
    '%s carries them too, and runs what is its own',
    async (url) => {
      const { statusCode, headers } = await app.inject(url);
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'strict-transport-security': expect.stringContaining('max-age='),
        'content-security-policy': expect.stringContaining("script-src 'self';"),
      });
      expect((await plain.inject(url)).headers['strict-transport-security']).toBeUndefined();
    },
  );
});

describe('the page about an error', () => {
  it('is where the type of a problem leads, by the public origin where there is one', async () => {
    const headers = { accept: 'application/problem+json' };
    const { type } = (await app.inject({ url: token, headers })).json();
    expect(type).toBe('https://mintscope.example/errors/missing_api_key');
    const relative = (await plain.inject({ url: token, headers })).json().type;
    expect(relative).toBe('/errors/missing_api_key');
    const page = await plain.inject(relative);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('Status 401');
  });

  it('is there for what is in the catalogue and for nothing else', async () => {
    const list = await app.inject('/errors');
    const links = [...list.body.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(50);
    for (const link of links) expect([link, (await app.inject(link)).statusCode]).toEqual([link, 200]);
    expect((await app.inject('/errors/constructor')).statusCode).toBe(404);
    expect((await app.inject({ method: 'POST', url: '/errors/internal' })).headers.allow).toBe('GET, HEAD');
  });
});
