import { describe, expect, it } from 'vitest';
import { authDouble } from '../../../test/support/answers/auth.ts';
import { PAGE_COOKIES, SESSION_COOKIES, sessionsDouble, TEST_SESSION } from '../../../test/support/answers/sessions.ts';
import { buildTestApp, TEST_ORIGIN } from '../../../test/support/api-app.ts';
import { KNOWN_MINT } from '../../../test/support/token-answers.ts';
import { routeName } from '../../contract/route.ts';
import { ROUTES } from '../../routes.ts';
import type { SignedMessage } from './auth-answers.ts';
import { newcomerExample, nonceExample, returningExample } from './contract.ts';

const { wallet } = newcomerExample;
const SIGNED: SignedMessage = { wallet, message: nonceExample.message, signature: '1'.repeat(64) };
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

describe('routes of sign-in', () => {
  it('hand out a message for the origin that the browser names', async () => {
    const asked: unknown[] = [];
    const auth = authDouble();
    const issueNonce: typeof auth.issueNonce = (...args) => {
      asked.push(args);
      return auth.issueNonce(...args);
    };
    const app = buildTestApp({ auth: { ...auth, issueNonce } });
    for (const headers of [{}, { origin: TEST_ORIGIN }]) {
      const answer = await app.inject({ method: 'POST', url: '/api/auth/nonce', headers, payload: { wallet } });
      expect(answer.json()).toEqual(nonceExample);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    expect(asked).toEqual([
      [wallet, undefined],
      [wallet, TEST_ORIGIN],
    ]);
  });

  it('open a session that scripts cannot read and other sites do not send', async () => {
    const answer = await buildTestApp().inject({ method: 'POST', url: '/api/auth/verify', payload: SIGNED });
    expect(answer.json()).toEqual(newcomerExample);
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-mintscope_session=[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('show a key to whoever has signed in for the first time, and nobody else', async () => {
    const auth = authDouble();
    const verify: typeof auth.verify = async (...args) => {
      return { ...(await auth.verify(...args)), created: false, firstKey: undefined };
    };
    const app = buildTestApp({ auth: { ...auth, verify } });
    const answer = await app.inject({ method: 'POST', url: '/api/auth/verify', payload: SIGNED });
    expect(answer.json()).toEqual(returningExample);
  });

  it.each([
    ['no wallet', { ...SIGNED, wallet: undefined }, 'invalid_wallet'],
    ['a wallet that is none', { ...SIGNED, wallet: 'me' }, 'invalid_wallet'],
    ['no message', { ...SIGNED, message: undefined }, 'invalid_param'],
    ['a message that is too long', { ...SIGNED, message: 'a'.repeat(2_049) }, 'invalid_param'],
    ['a signature in hex', { ...SIGNED, signature: '00'.repeat(64) }, 'invalid_param'],
    ['a signature in a list', { ...SIGNED, signature: [1, 2, 3] }, 'invalid_param'],
  ])('refuse %s', async (_what, payload, code) => {
    const answer = await buildTestApp().inject({ method: 'POST', url: '/api/auth/verify', payload });
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([400, code]);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('end the session that asks, and take its cookie', async () => {
    const ended: Uint8Array[] = [];
    const auth = authDouble();
    const logOut: typeof auth.logOut = (hash) => {
      ended.push(hash);
      return auth.logOut(hash);
    };
    const app = buildTestApp({ auth: { ...auth, logOut } });
    const stranger = await app.inject({ method: 'POST', url: '/api/auth/logout' });
    expect(stranger.statusCode).toBe(401);
    const headers = { cookie: SESSION_COOKIES };
    const answer = await app.inject({ method: 'POST', url: '/api/auth/logout', headers });
    expect(answer.json()).toEqual({ ok: true });
    expect(answer.headers['set-cookie']).toMatch(/^__Host-mintscope_session=; Max-Age=0; Path=\/; HttpOnly; Secure/);
    expect(ended).toEqual([TEST_SESSION.hash]);
  });

  it('open page sessions for our own pages alone', async () => {
    const app = buildTestApp();
    const open = (headers: Record<string, string>) =>
      app.inject({ method: 'POST', url: '/api/auth/page-session', headers });
    for (const headers of [OWN_PAGE, { origin: TEST_ORIGIN }]) {
      const answer = await open(headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['set-cookie']).toMatch(/^__Host-mintscope_page=.*HttpOnly; Secure; SameSite=Lax$/);
    }
    const others = [
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://a.example' },
    ];
    for (const headers of others) {
      const answer = await open(headers as Record<string, string>);
      expect([headers, answer.statusCode, answer.headers['set-cookie']]).toEqual([headers, 403, undefined]);
    }
  });

  it.each(['/auth/nonce', '/auth/verify', '/auth/logout', '/auth/page-session'])(
    '%s is not for pages of other sites',
    async (path) => {
      const app = buildTestApp();
      for (const page of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'null' }]) {
        const headers = { ...page, cookie: SESSION_COOKIES } as Record<string, string>;
        const answer = await app.inject({ method: 'POST', url: `/api${path}`, headers, payload: SIGNED });
        expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
          403,
          'cross_origin',
        ]);
        expect(answer.headers).not.toHaveProperty('set-cookie');
      }
    },
  );
});

describe('what pages read without a key', () => {
  it('is what they show, and nothing that is dear', () => {
    expect(ROUTES.filter(({ pages }) => pages).map(routeName)).toEqual([
      'GET /tokens',
      'GET /tokens/{mint}',
      'GET /tokens/{mint}/swaps',
      'GET /tokens/{mint}/candles',
      'GET /tokens/{mint}/ticks',
      'GET /tokens/{mint}/activity',
      'GET /tokens/{mint}/holders',
      'GET /tokens/{mint}/holder-stats',
      'GET /tokens/{mint}/counters',
      'GET /tokens/{mint}/intelligence',
      'GET /tokens/{mint}/launch',
      'GET /tokens/{mint}/meta',
      'GET /tokens/{mint}/image',
      'GET /prices',
      'GET /tokens/{mint}/pools',
      'GET /sol-price/history',
      'GET /tokens/trending',
      'GET /tokens/graduating',
      'GET /trending-names',
      'GET /tweet-tokens',
      'GET /events',
      'GET /tips/by-provider',
      'GET /launchpad-24h',
      'GET /ecosystem',
      'GET /ecosystem/history',
      'GET /routers',
      'GET /tip-market',
      'GET /landing-conditions',
      'GET /leaders',
      'GET /leaders/distribution',
      'GET /equities',
      'GET /equities/{mint}',
      'GET /search',
      'GET /search/suggest',
      'GET /stats',
    ]);
  });

  it.each([
    ['somebody who signed in', SESSION_COOKIES],
    ['nobody in particular', PAGE_COOKIES],
    ['nobody any more', `${SESSION_COOKIES}-ended; ${PAGE_COOKIES}`],
  ])('is free to %s, and says nothing of credits', async (_who, cookie) => {
    const app = buildTestApp();
    const url = `/api/tokens/${KNOWN_MINT}`;
    const answer = await app.inject({ url, headers: { ...OWN_PAGE, cookie } });
    expect(answer.statusCode).toBe(200);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-credits'))).toEqual([]);
    const race = await app.inject({ url: `${url}/launch-race`, headers: { ...OWN_PAGE, cookie } });
    expect(race.statusCode).toBe(401);
  });

  it('is for our own pages alone, and bound to the address', async () => {
    const url = `/api/tokens/${KNOWN_MINT}`;
    const app = buildTestApp();
    const others = [
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://a.example' },
    ];
    for (const page of others) {
      const headers = { ...page, cookie: PAGE_COOKIES } as Record<string, string>;
      expect([page, (await app.inject({ url, headers })).statusCode]).toEqual([page, 401]);
    }
    const asked: string[] = [];
    const isPageSession = (_token: string, address: string) => asked.push(address) < 0;
    const moved = buildTestApp({ sessions: sessionsDouble({ isPageSession }) });
    const headers = { ...OWN_PAGE, cookie: PAGE_COOKIES };
    expect((await moved.inject({ url, headers, remoteAddress: '::ffff:203.0.113.9' })).statusCode).toBe(401);
    expect(asked).toEqual(['203.0.113.9']);
  });
});
