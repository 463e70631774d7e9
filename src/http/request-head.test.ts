import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY } from '../../test/support/api-app.ts';
import { listen, type RawAnswer, rawRequest, sendRaw } from '../../test/support/raw-http.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };
const CREATE_GROUP = 'POST /api/wallet-groups';
/** Sent behind what is refused: whoever carries it out was deceived about where that ends. */
const SMUGGLED = `GET /api/stats HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\n\r\n`;

function codeOf({ body }: RawAnswer): string {
  return JSON.parse(body).error.code;
}

describe('the head of a request', () => {
  let served = 0;
  const app = buildTestApp();
  app.addHook('preHandler', async () => {
    served += 1;
  });
  let port = 0;
  beforeAll(async () => {
    port = await listen(app);
  });
  afterAll(() => app.close());

  it.each([
    'gzip',
    'gzip, chunked',
    'identity',
    'identity, chunked',
    'chunked, identity',
    'chunked, gzip',
    'chunked, chunked',
    'xchunked',
    'chunkedx',
    ',chunked',
    'chunked,',
    'chunked;q=1',
    '"chunked"',
    '\x0bchunked',
    'chu\0nked',
    '',
    'gzip\r\nTransfer-Encoding: chunked',
    'chunked\r\nTransfer-Encoding: chunked',
    'chunked\r\nContent-Length: 5',
  ])('with Transfer-Encoding %j is refused once, in our words, and ends its connection', async (coding) => {
    for (const line of [CREATE_GROUP, 'GET /api/health', 'GET /nowhere', 'GET /%ff', 'HEAD /api/health']) {
      served = 0;
      const head = `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
      const [first, ...others] = await sendRaw(port, `${head}0\r\n\r\n${SMUGGLED}`);
      expect([line, first?.status, first?.headers.connection]).toEqual([line, 400, 'close']);
      if (first?.body !== '') expect(codeOf(first!)).toBe('invalid_request');
      expect([line, others, served]).toEqual([line, [], 0]);
    }
  });

  it.each(['chunked', 'Chunked', 'CHUNKED'])('with Transfer-Encoding %s is read', async (coding) => {
    const headers = { ...JSON_BODY, 'Transfer-Encoding': coding };
    const [answer] = await sendRaw(port, rawRequest('POST /api/auth/nonce', headers, '2\r\n{]\r\n0\r\n\r\n'));
    expect(codeOf(answer!)).toBe('invalid_json');
  });

  it('of HTTP/1.0 has no Transfer-Encoding', async () => {
    const head =
      'POST /api/auth/nonce HTTP/1.0\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const [answer] = await sendRaw(port, `${head}2\r\n{]\r\n0\r\n\r\n`);
    expect([answer?.status, codeOf(answer!)]).toEqual([400, 'invalid_request']);
  });

  it.each([
    '200-ok',
    'x',
    '',
    '100-continue, x',
    'x, 100-continue',
    '100-continue;q=1',
    '"100-continue"',
    '100-continue\r\nExpect: x',
  ])('with Expect %j is refused with 417, in our words, and ends its connection', async (expectation) => {
    for (const line of [CREATE_GROUP, 'GET /api/health', 'GET /nowhere', 'QUERY /api/health']) {
      served = 0;
      const headers = { ...JSON_BODY, Connection: 'keep-alive', 'Content-Length': '2', Expect: expectation };
      const [first, ...others] = await sendRaw(port, rawRequest(line, headers, '{}'));
      expect([line, first?.status, first?.headers.connection]).toEqual([line, 417, 'close']);
      expect(codeOf(first!)).toBe('expectation_failed');
      expect(first?.headers['x-request-id']).toBe(JSON.parse(first!.body).error.request_id);
      expect([others, served]).toEqual([[], 0]);
    }
  });

  it.each(['100-continue', '100-Continue', '100-continue, 100-continue', '100-continue\r\nExpect: 100-continue'])(
    'with Expect %j is told to go on, and answered',
    async (expectation) => {
      const headers = { ...JSON_BODY, 'Content-Length': '2', Expect: expectation };
      const [first, second, ...others] = await sendRaw(port, rawRequest('POST /api/auth/nonce', headers, '{]'));
      expect([first?.status, second?.status, codeOf(second!)]).toEqual([100, 400, 'invalid_json']);
      expect(others).toEqual([]);
    },
  );

  it('of HTTP/1.0 expects nothing', async () => {
    const [answer] = await sendRaw(port, 'GET /api/health HTTP/1.0\r\nExpect: x\r\n\r\n');
    expect(answer?.status).toBe(200);
  });
});
