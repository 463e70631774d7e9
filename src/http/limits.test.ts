import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { PAGE_COOKIES } from '../../test/support/answers/sessions.ts';
import { buildTestApp, TEST_KEY, TEST_PRINCIPAL, type TestParts } from '../../test/support/api-app.ts';
import { createHandClock, type HandClock } from '../../test/support/hand-clock.ts';
import { createMemoryMeter } from '../../test/support/memory-meter.ts';
import { KNOWN_MINT } from '../../test/support/token-answers.ts';
import { KEY_HEADERS, PAGE_HEADERS, SESSION_HEADERS } from '../../test/support/walk/requests.ts';
import { createRateLimits } from '../accounts/rate-limits.ts';
import { BASE_PATH } from '../contract/headers.ts';
import type { KeyPrincipal, RateLimit } from '../handlers/caller.ts';

const TOKEN = `${BASE_PATH}/tokens/${KNOWN_MINT}`;
const FAST: RateLimit = { rps: 20, burst: 40 };
const apps: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

interface Limited {
  readonly app: FastifyInstance;
  readonly clock: HandClock;
}

/** The application with the limits that it comes with, and keys of the given rate by their names. */
function limited(rate: RateLimit, overrides: Partial<TestParts> = {}): Limited {
  const clock = createHandClock(1_790_000_000_000);
  const principals: Record<string, Partial<KeyPrincipal>> = {
    other: { id: 2 },
    suspended: { id: 3, state: 'suspended' },
  };
  const known = [TEST_KEY, ...Object.keys(principals)];
  const app = buildTestApp({
    clock,
    limits: createRateLimits({ clock }),
    keys: { find: (text) => (known.includes(text) ? { ...TEST_PRINCIPAL, rate, ...principals[text] } : undefined) },
    ...overrides,
  });
  apps.push(app);
  return { app, clock };
}

describe('what a key is told', () => {
  it('is its rate, what is left, and when all of it is there again', async () => {
    const { app, clock } = limited(FAST);
    const told = async () => {
      const { headers } = await app.inject({ url: TOKEN, headers: KEY_HEADERS });
      return [headers.ratelimit, ...['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])];
    };
    const first = await app.inject({ url: TOKEN, headers: KEY_HEADERS });
    expect(first.headers['ratelimit-policy']).toBe('"key";q=20;w=1, "burst";q=40;w=2');
    expect(first.headers.ratelimit).toBe('"key";r=20;t=1');
    for (let i = 0; i < 21; i += 1) await told();
    expect(await told()).toEqual(['"key";r=17;t=2', '40', '17', '1790000002']);
    await clock.advance(1000);
    expect(await told()).toEqual(['"key";r=20;t=1', '40', '36', '1790000002']);
  });

  it.each([
    ['a refused parameter', 400, { url: `${TOKEN}x`, headers: KEY_HEADERS }],
    [
      'what is not there',
      404,
      { url: `${BASE_PATH}/tokens/So11111111111111111111111111111111111111112`, headers: KEY_HEADERS },
    ],
    ['what it cannot pay', 402, { url: TOKEN, headers: KEY_HEADERS }],
    ['its state', 403, { url: TOKEN, headers: { 'x-api-key': 'suspended' } }],
    ['an answer to HEAD', 402, { method: 'HEAD', url: TOKEN, headers: KEY_HEADERS }],
  ] as const)('stands on %s too', async (_what, status, request) => {
    const credits = status === 402 ? 0 : 10;
    const { app } = limited(FAST, { meter: createMemoryMeter({ credits, enforce: true }) });
    const { statusCode, headers } = await app.inject({ ...request });
    expect([statusCode, headers['ratelimit-policy']]).toEqual([status, '"key";q=20;w=1, "burst";q=40;w=2']);
    expect(headers['x-ratelimit-remaining']).toBe(status === 403 ? '40' : '39');
  });

  it('is nothing when nobody knows the key, or it is no key that counts', async () => {
    const { app } = limited(FAST);
    for (const request of [
      { url: TOKEN, headers: { 'x-api-key': 'nobody' } },
      { url: `${BASE_PATH}/health` },
      { url: TOKEN },
    ]) {
      const { headers } = await app.inject(request);
      expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
  });
});

describe('a key that asks too often', () => {
  it('is refused before its parameters are read and credits are taken, and pays nothing', async () => {
    const meter = createMemoryMeter({ credits: 10, enforce: true });
    const { app } = limited({ rps: 1, burst: 1 }, { meter });
    await app.inject({ url: TOKEN, headers: KEY_HEADERS });
    for (const url of [TOKEN, `${TOKEN}x`, `${BASE_PATH}/tokens?limit=0`]) {
      const answer = await app.inject({ url, headers: KEY_HEADERS });
      expect([answer.statusCode, answer.json().error.code]).toEqual([429, 'rate_limited']);
      expect(answer.headers).toMatchObject({
        'retry-after': '1',
        ratelimit: '"key";r=0;t=1',
        'x-ratelimit-remaining': '0',
      });
      expect(answer.headers['x-credits-cost']).toBe('0');
    }
    expect(meter.remaining(TEST_PRINCIPAL)).toBe(9);
  });

  it('is limited alone: neither other keys of its account nor its sessions are', async () => {
    const { app } = limited({ rps: 1, burst: 1 });
    await app.inject({ url: TOKEN, headers: KEY_HEADERS });
    expect((await app.inject({ url: TOKEN, headers: KEY_HEADERS })).statusCode).toBe(429);
    expect((await app.inject({ url: TOKEN, headers: { 'x-api-key': 'other' } })).statusCode).toBe(200);
    expect((await app.inject({ url: `${BASE_PATH}/wallet-groups`, headers: SESSION_HEADERS })).statusCode).toBe(200);
  });

  it('counts what is free as well', async () => {
    const { app } = limited({ rps: 1, burst: 2 });
    await app.inject({ url: `${BASE_PATH}/wallet-groups`, headers: KEY_HEADERS });
    await app.inject({ url: TOKEN, headers: KEY_HEADERS });
    expect((await app.inject({ url: `${BASE_PATH}/wallet-favorites`, headers: KEY_HEADERS })).statusCode).toBe(429);
  });

  it('is let in whenever it has waited as long as it was told, however it asked before', async () => {
    const rates = fc.record({ rps: fc.integer({ min: 1, max: 8 }), burst: fc.integer({ min: 1, max: 10 }) });
    const pauses = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 1500 })), {
      minLength: 5,
      maxLength: 40,
    });
    let refused = 0;
    const property = fc.asyncProperty(rates, pauses, async (rate, waits) => {
      const { app, clock } = limited(rate);
      const ask = () => app.inject({ url: TOKEN, headers: KEY_HEADERS });
      for (const wait of waits) {
        await clock.advance(wait);
        const { statusCode, headers } = await ask();
        if (statusCode === 200) continue;
        refused += 1;
        expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
        await clock.advance(Number(headers['retry-after']) * 1000);
        expect((await ask()).statusCode).toBe(200);
      }
    });
    await fc.assert(property, { numRuns: 25 });
    expect(refused).toBeGreaterThan(20);
  });
});

describe('the keys of an account', () => {
  const LISTS = `${BASE_PATH}/wallet-groups?members=1`;

  it('ask for its lists 10 times a second and 20 at once, all together, and its sessions besides', async () => {
    const { app, clock } = limited(FAST);
    const ask = async (key: string) => (await app.inject({ url: LISTS, headers: { 'x-api-key': key } })).statusCode;
    for (let i = 0; i < 20; i += 1) expect(await ask(i % 2 === 0 ? TEST_KEY : 'other')).toBe(200);
    expect([await ask(TEST_KEY), await ask('other')]).toEqual([429, 429]);
    expect((await app.inject({ url: LISTS, headers: SESSION_HEADERS })).statusCode).toBe(200);
    const { statusCode, headers } = await app.inject({ url: TOKEN, headers: KEY_HEADERS });
    expect([statusCode, headers['x-ratelimit-remaining']], 'what was refused took nothing').toEqual([200, '29']);
    await clock.advance(100);
    expect([await ask('other'), await ask(TEST_KEY)]).toEqual([200, 429]);
  });

  it('are told of whichever limit leaves them less', async () => {
    const told = async (rate: RateLimit, times: number) => {
      const { app } = limited(rate);
      for (let i = 1; i < times; i += 1) await app.inject({ url: LISTS, headers: KEY_HEADERS });
      const { statusCode, headers } = await app.inject({ url: LISTS, headers: KEY_HEADERS });
      return [statusCode, headers.ratelimit, headers['x-ratelimit-limit'], headers['retry-after']];
    };
    expect(await told(FAST, 1)).toEqual([200, '"account";r=10;t=1', '20', undefined]);
    expect(await told(FAST, 21)).toEqual([429, '"account";r=0;t=2', '20', '1']);
    expect(await told({ rps: 5, burst: 10 }, 1)).toEqual([200, '"key";r=5;t=1', '10', undefined]);
    expect(await told({ rps: 5, burst: 10 }, 11)).toEqual([429, '"key";r=0;t=2', '10', '1']);
    expect(await told({ rps: 1, burst: 30 }, 21)).toEqual([429, '"account";r=0;t=2', '20', '1']);
  });
});

describe('an account in its sessions', () => {
  it('asks 10 times a second and 20 at once, and is told so by its own name', async () => {
    const { app, clock } = limited(FAST);
    const ask = () => app.inject({ url: `${BASE_PATH}/wallet-groups`, headers: SESSION_HEADERS });
    const first = await ask();
    expect(first.headers['ratelimit-policy']).toBe('"account";q=10;w=1, "burst";q=20;w=2');
    expect(first.headers.ratelimit).toBe('"account";r=10;t=1');
    for (let i = 1; i < 20; i += 1) expect((await ask()).statusCode).toBe(200);
    const refused = await ask();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
    await clock.advance(100);
    expect((await ask()).statusCode).toBe(200);
  });
});

describe('an address', () => {
  const asks = ({ app }: Limited, path: string, options: object = {}) => {
    return async (times: number) => {
      const statuses = new Map<number, number>();
      for (let i = 0; i < times; i += 1) {
        const { statusCode } = await app.inject({ url: `${BASE_PATH}${path}`, ...options });
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      }
      return Object.fromEntries(statuses);
    };
  };

  it.each(['/health', '/sol-price', '/credits/costs'])(
    'asks %s 20 times at once and 5 times a second',
    async (path) => {
      const setting = limited(FAST);
      const ask = asks(setting, path);
      expect(await ask(25)).toEqual({ 200: 20, 429: 5 });
      await setting.clock.advance(1000);
      expect(await ask(10)).toEqual({ 200: 5, 429: 5 });
    },
  );

  it.each(['/auth/nonce', '/auth/verify'])('asks %s 10 times at once and once a second', async (path) => {
    const setting = limited(FAST);
    const payload = { wallet: KNOWN_MINT, message: 'a message', signature: '1'.repeat(64) };
    const ask = asks(setting, path, { method: 'POST', payload });
    expect(await ask(12)).toEqual({ 200: 10, 429: 2 });
    await setting.clock.advance(1000);
    expect(await ask(3)).toEqual({ 200: 1, 429: 2 });
    expect(await asks(setting, '/health')(1)).toEqual({ 200: 1 });
  });

  it('reads the documentation, whose page is a dozen files, and the metrics beside it', async () => {
    const metrics = { contentType: 'text/plain', text: async () => '' };
    const { app, clock } = limited(FAST, { metrics });
    const ask = async (url: string) => (await app.inject(url)).statusCode;
    for (let i = 0; i < 20; i += 1) {
      expect([await ask('/docs/json'), await ask('/openapi.json'), await ask('/metrics')]).toEqual([200, 200, 200]);
    }
    for (const url of ['/docs/', '/docs/yaml', '/docs/static/swagger-ui-bundle.js', '/openapi.json', '/metrics']) {
      expect([url, await ask(url)]).toEqual([url, 429]);
    }
    await clock.advance(200);
    expect([await ask('/docs/'), await ask('/docs/'), await ask('/metrics')]).toEqual([200, 429, 200]);
  });

  it('reads what pages show 5 times a second, whichever sessions it opens', async () => {
    const setting = limited(FAST);
    const visitor = asks(setting, `/tokens/${KNOWN_MINT}`, { headers: { ...PAGE_HEADERS, cookie: PAGE_COOKIES } });
    const signedIn = asks(setting, `/tokens/${KNOWN_MINT}`, { headers: SESSION_HEADERS });
    expect(await visitor(15)).toEqual({ 200: 15 });
    expect(await signedIn(10)).toEqual({ 200: 5, 429: 5 });
    await setting.clock.advance(1000);
    expect(await visitor(10)).toEqual({ 200: 5, 429: 5 });
  });

  it('of an IPv6 network is the network', async () => {
    let address = '';
    const setting = limited(FAST, { clientAddress: () => address });
    const ask = asks(setting, '/health');
    for (let i = 0; i < 20; i += 1) {
      address = `2001:db8:1:2::${i.toString(16)}`;
      expect(await ask(1)).toEqual({ 200: 1 });
    }
    expect(await ask(1)).toEqual({ 429: 1 });
    address = '2001:db8:1:3::1';
    expect(await ask(1)).toEqual({ 200: 1 });
    for (const other of ['203.0.113.1', '203.0.113.2']) {
      address = other;
      expect(await ask(21)).toEqual({ 200: 20, 429: 1 });
    }
  });
});
