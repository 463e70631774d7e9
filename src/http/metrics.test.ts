import { METHODS } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { buildTestApp } from '../../test/support/api-app.ts';

const TOKEN = 'a-token-of-the-tests';
const metrics = { contentType: 'text/plain; version=0.0.4', text: async () => 'up 1\n' };
/** Headers that a browser would send for a page of another site. */
const FOREIGN_PAGE = { origin: 'https://elsewhere.example' };

describe('metrics with a token', () => {
  const app = buildTestApp({ metrics, metricsToken: TOKEN });
  afterAll(() => app.close());

  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`])('are read by whoever sends it: %s', async (authorization) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await app.inject({ method, url: '/metrics', headers: { authorization } });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, metrics.contentType]);
    }
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer x${TOKEN}`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
  ])('are read by nobody who sends %j', async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await app.inject({ url: '/metrics', headers });
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'metrics_token_required']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body + JSON.stringify(answer.headers)).not.toContain(TOKEN);
  });

  it('take it from no other place', async () => {
    const answer = await app.inject({
      url: `/metrics?token=${TOKEN}&access_token=${TOKEN}`,
      headers: { cookie: TOKEN },
    });
    expect(answer.statusCode).toBe(401);
  });
});

describe('metrics without a token', () => {
  const app = buildTestApp({ metrics });
  afterAll(() => app.close());

  it('are read by everybody who reaches the port', async () => {
    const answer = await app.inject('/metrics');
    expect([answer.statusCode, answer.body]).toEqual([200, 'up 1\n']);
  });
});

describe('pages of other origins', () => {
  it.each([undefined, TOKEN])('read nothing of the metrics, whatever the answer (token: %s)', async (metricsToken) => {
    const app = buildTestApp({ metrics, metricsToken });
    const broken = buildTestApp({ metrics: { ...metrics, text: () => Promise.reject(new Error('broken')) } });
    for (const method of METHODS.filter((each) => each !== 'CONNECT')) {
      for (const url of ['/metrics', '/metrics/', '/metrics?x=1']) {
        for (const each of [app, broken]) {
          const answer = await each.inject({ method: method as 'GET', url, headers: FOREIGN_PAGE });
          const shown = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
          expect([method, url, shown]).toEqual([method, url, []]);
          if (method === 'OPTIONS') expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
        }
      }
    }
    await Promise.all([app.close(), broken.close()]);
  });
});
