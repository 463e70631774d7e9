import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { afterAll, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY, TEST_PRINCIPAL, testGate } from '../../test/support/api-app.ts';
import { createMemoryMeter } from '../../test/support/memory-meter.ts';
import { createAnswersDouble, INDEXED_SLOT, KNOWN_MINT } from '../../test/support/token-answers.ts';
import { ApiError } from '../contract/errors.ts';
import { createPriceBook } from '../contract/price-book.ts';
import { getToken } from '../features/tokens/contract.ts';
import { bind } from '../handlers/bind.ts';
import { AccountsError } from '../store/accounts-db/accounts-error.ts';
import { StoreError } from '../store/clickhouse/store-error.ts';
import { createAnswersUnderWay } from './answers-under-way.ts';
import { createAnswerHeaders } from './headers.ts';
import { serveRoute } from './serve-route.ts';

const TOKEN_URL = `/api/tokens/${KNOWN_MINT}`;
const HEADERS = { 'x-api-key': TEST_KEY };

describe('bodies', () => {
  const app = buildTestApp();
  app.post('/api/echo', async (request) => request.body);
  afterAll(() => app.close());

  it.each([
    ['413', 'body_too_large', 'application/json', JSON.stringify('x'.repeat(256 * 1024))],
    ['415', 'unsupported_media_type', 'text/csv', 'a,b'],
    ['400', 'invalid_json', 'application/json', '{"a":'],
    ['400', 'invalid_json', 'application/json', ''],
  ])('%s %s', async (status, code, type, payload) => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/echo',
      headers: { 'content-type': type },
      payload,
    });
    expect([String(response.statusCode), response.json().error.code]).toEqual([status, code]);
  });
});

describe('requests that stop arriving', () => {
  it('are given up after 15 seconds, headers and bodies alike: of two limits Node takes the longer one for bodies', async () => {
    const app = buildTestApp();
    const { headersTimeout, requestTimeout } = app.server;
    expect([headersTimeout, requestTimeout]).toEqual([15_000, 15_000]);
    await app.close();
  });
});

describe('cross-origin', () => {
  const app = buildTestApp();
  afterAll(() => app.close());

  it.each([TOKEN_URL, '/api/openapi.json'])('lets a browser send its key from any origin: %s', async (url) => {
    const response = await app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key',
      },
    });
    expect(response.statusCode).toBe(204);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-allow-headers']).toContain('X-API-Key');
  });

  it.each([TOKEN_URL, '/api/openapi.json'])('answers OPTIONS of who is no browser: %s', async (url) => {
    expect((await app.inject({ method: 'OPTIONS', url })).statusCode).toBe(204);
  });

  it('lets a browser read refusals too', async () => {
    expect((await app.inject(TOKEN_URL)).headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a snapshot that is at hand', () => {
  it('is answered and charged as one that had to be made', async () => {
    const made = buildTestApp();
    const expected = await made.inject({ url: TOKEN_URL, headers: HEADERS });
    await made.close();
    const app = buildTestApp({ answers: createAnswersDouble({ snapshot: () => expected.rawPayload }) });
    const response = await app.inject({ url: TOKEN_URL, headers: HEADERS });
    const unlike = {
      'x-request-id': expect.any(String),
      'x-ratelimit-reset': expect.any(String),
      date: expect.any(String),
    };
    expect(response.statusCode).toBe(200);
    expect(response.headers).toEqual({ ...expected.headers, ...unlike });
    expect(response.headers['x-credits-remaining']).toBe('999');
    expect(response.body).toBe(expected.body);
    await app.close();
  });
});

describe('slow and stopped reads', () => {
  it('504: gives up a read that takes longer than its route may, and charges nothing', async () => {
    const contract = { ...getToken, limits: { timeoutMs: 20 } };
    const app = buildTestApp();
    const headers = createAnswerHeaders({
      indexedSlot: () => INDEXED_SLOT,
      dataLagMs: () => undefined,
      publicOrigin: undefined,
    });
    let refunded: number | undefined;
    const reservation = {
      cost: 1,
      remaining: 9,
      settle: (charged: number) => {
        refunded = 1 - charged;
        return 10;
      },
    };
    app.register(
      async (api) => {
        serveRoute(
          api,
          bind(contract, () => new Promise(() => {})),
          {
            gate: testGate(),
            prices: createPriceBook({ routes: [], now: () => 0 }),
            meter: { reserve: () => reservation, remaining: () => 10 },
            headers,
            underWay: createAnswersUnderWay(),
          },
        );
      },
      { prefix: '/slow' },
    );
    const response = await app.inject({ url: `/slow/tokens/${KNOWN_MINT}`, headers: HEADERS });
    expect([response.statusCode, response.json().error.code]).toEqual([504, 'query_timeout']);
    expect(response.headers['x-credits-remaining']).toBe('10');
    expect(refunded).toBe(1);
    await app.close();
  });

  it('503: passes on that the store cannot answer, with when to come back', async () => {
    const snapshot = async () => {
      throw new ApiError('storage_unavailable');
    };
    const app = buildTestApp({ answers: createAnswersDouble({ snapshot }) });
    const response = await app.inject({ url: TOKEN_URL, headers: HEADERS });
    expect([response.statusCode, response.json().error.code]).toEqual([503, 'storage_unavailable']);
    expect(response.headers['retry-after']).toBe('2');
    await app.close();
  });

  it.each([
    ['storage_unavailable', new StoreError('store_closed', 'closed')],
    ['storage_unavailable', new AccountsError('accounts_unavailable', 'secret is locked')],
    ['internal', new AccountsError('accounts_refused', 'secret constraint')],
    ['storage_unavailable', Object.assign(new Error('connect 127.0.0.1:9000'), { code: 'ECONNREFUSED' })],
    ['query_timeout', new ClickHouseError({ message: 'secret_table', code: '159', type: 'TIMEOUT_EXCEEDED' })],
    ['storage_unavailable', new ClickHouseError({ message: 'secret_table', code: '60', type: 'UNKNOWN_TABLE' })],
    ['internal', new ClickHouseError({ message: 'secret_table', code: '47', type: 'UNKNOWN_IDENTIFIER' })],
  ])('answers %s for what the store fails with, and tells nothing of it', async (code, error) => {
    const app = buildTestApp({ answers: createAnswersDouble({ snapshot: () => Promise.reject(error) }) });
    const response = await app.inject({ url: TOKEN_URL, headers: HEADERS });
    expect(response.json().error.code).toBe(code);
    expect(response.body).not.toMatch(/secret|127\.0\.0\.1/);
    await app.close();
  });

  it('logs what failed with the cause, and never the key', async () => {
    const entries: unknown[] = [];
    const cause = new Error('table is gone');
    const app = buildTestApp({
      answers: createAnswersDouble({ snapshot: () => Promise.reject(cause) }),
      log: { debug() {}, info() {}, warn() {}, error: (fields) => entries.push(fields) },
    });
    await app.inject({ url: TOKEN_URL, headers: HEADERS });
    expect(entries).toEqual([expect.objectContaining({ code: 'internal', err: cause })]);
    expect(JSON.stringify(entries)).not.toContain(TEST_KEY);
    await app.close();
  });
});

describe('paths that no router reads', () => {
  const app = buildTestApp();
  afterAll(() => app.close());

  it.each([
    ['invalid_request', '/api/tokens/%ff'],
    ['invalid_param', `/api/tokens/${'a'.repeat(300)}`],
  ])('are refused in our words: %s', async (code, url) => {
    const response = await app.inject({ url, headers: HEADERS });
    expect([response.statusCode, response.json().error.code]).toEqual([400, code]);
    expect(response.json().error.request_id).toBe(response.headers['x-request-id']);
  });
});

describe('what is no request', () => {
  async function answerTo(bytes: string, timeoutMs = 15_000, app = buildTestApp()): Promise<string> {
    app.server.headersTimeout = timeoutMs;
    app.server.requestTimeout = timeoutMs;
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
    await app.close();
    return text;
  }

  it.concurrent.each([
    ['headers', 'GET /api/health HTTP/1.1\r\nHost: x\r\n'],
    [
      'a body',
      'POST /api/auth/nonce HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('408: gives up a request whose %s stop arriving, and says so', async (_what, bytes) => {
    const answer = await answerTo(bytes, 200);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"request_timeout"');
    expect(answer).not.toMatch(/retry-after/i);
  });

  it('431: refuses headers over the limit', async () => {
    const answer = await answerTo(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"code":"headers_too_large"');
  });

  it('400: refuses what is not HTTP', async () => {
    const answer = await answerTo('hello\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_request"');
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9A-Z]{26}\r\n/);
    for (const header of ['x-content-type-options: nosniff', 'x-frame-options: DENY', 'Cache-Control: no-store']) {
      expect(answer).toContain(`\r\n${header}\r\n`);
    }
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    expect(answer).toContain(`\r\nContent-Length: ${body.length}\r\n`);
    expect(JSON.parse(body).error.request_id).toBe(/X-Request-Id: (\w+)/.exec(answer)?.[1]);
  });

  it('400: breaks off where the body of a GET breaks, which is charged once as one whose client has gone', async () => {
    const meter = createMemoryMeter({ credits: 10, enforce: true });
    let answered: () => void = () => {};
    const untilAnswered = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const answers = createAnswersDouble({ snapshot: () => untilAnswered.then(() => Buffer.from('{}')) });
    const app = buildTestApp({ answers, meter });
    const request = `GET ${TOKEN_URL} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\n`;
    app.server.on('clientError', () => setImmediate(answered));
    const answer = await answerTo(`${request}Transfer-Encoding: chunked\r\n\r\nno chunk\r\n`, 15_000, app);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2);
    expect(meter.remaining(TEST_PRINCIPAL)).toBe(9);
  });

  it('400: refuses HTTP/1.1 without a Host, and says so as it says everything', async () => {
    const answer = await answerTo('GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_request"');
  });

  it('200: answers HTTP/1.0, which knows no Host', async () => {
    expect(await answerTo('GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('closing', () => {
  it('answers what is under way, however late, and then waits for nobody', async () => {
    let release: (body: Buffer) => void = () => {};
    let reached: () => void = () => {};
    const underWay = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const snapshot = () =>
      new Promise<Buffer>((resolve) => {
        release = resolve;
        reached();
      });
    const app = buildTestApp({ answers: createAnswersDouble({ snapshot }) });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const answer = fetch(`${address}${TOKEN_URL}`, { headers: HEADERS });
    await underWay;
    const closed = app.close();
    // Node has looked for idle connections by then, and does not look again.
    while (app.server.listening) await sleep(1);
    release(Buffer.from('{}'));
    expect((await answer).status).toBe(200);
    await closed;
  });
});
