import { afterAll, describe, expect, it } from 'vitest';
import { buildTestApp } from '../../test/support/api-app.ts';
import { KNOWN_MINT } from '../../test/support/token-answers.ts';
import { codeOf } from '../../test/support/walk/ask.ts';
import { KEY_HEADERS } from '../../test/support/walk/requests.ts';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { BASE_PATH } from '../contract/headers.ts';
import { routeErrors } from '../contract/route.ts';
import { ROUTES } from '../routes.ts';

/** Errors of the catalogue that no route declares, and where they come from. */
const ELSEWHERE: Partial<Record<ErrorCode, string>> = {
  not_found: 'a path that is no route',
  method_not_allowed: 'a path that is one, asked in another way',
  invalid_request: 'what is no HTTP, or a path that is no text',
  request_timeout: 'a request that stops arriving',
  headers_too_large: 'headers over the limit',
  expectation_failed: 'the head of a request (plugins/request-head.ts)',
  metrics_token_required: 'the metrics, which are no route of the contract',
  lagging: 'probes outside the API, which are no routes of the contract',
  invalid_stream: 'sockets, which are to come',
  ws_connection_limit: 'sockets, which are to come',
  too_many_connections: 'a connection over the bound of its address',
};

const app = buildTestApp();
afterAll(() => app.close());

describe('the catalogue', () => {
  it('holds no error that nothing answers with, unless it says where it comes from', () => {
    const declared = new Set<string>(ROUTES.flatMap((route) => routeErrors(route)));
    const unused = Object.keys(ERRORS).filter((code) => !declared.has(code));
    expect(unused.sort()).toEqual(Object.keys(ELSEWHERE).sort());
  });

  it('tells when to come back wherever a 503 or a limit is answered, and nowhere else', () => {
    for (const [code, entry] of Object.entries(ERRORS)) {
      const { status, retryAfter } = entry as { status: number; retryAfter?: number };
      const waits = status === 503 || code === 'rate_limited';
      expect([code, retryAfter === undefined]).toEqual([code, !waits]);
      if (retryAfter !== undefined) expect(Number.isInteger(retryAfter) && retryAfter > 0).toBe(true);
    }
  });
});

describe('a path that is no route', () => {
  it.each([
    `${BASE_PATH}/nowhere`,
    '/nowhere',
    `${BASE_PATH}`,
    `${BASE_PATH}/tokens/${KNOWN_MINT}/nothing`,
    `${BASE_PATH}/__proto__`,
    `${BASE_PATH}/TOKENS`,
  ])('%s is answered with 404, whoever asks and however', async (url) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      const answer = await app.inject({
        method,
        url,
        headers: KEY_HEADERS,
        ...(method === 'GET' ? {} : { payload: '{' }),
      });
      expect([method, answer.statusCode, codeOf(answer)]).toEqual([method, 404, 'not_found']);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['x-credits-cost']).toBeUndefined();
    }
  });
});

describe('an error', () => {
  it('names its request in the body as in the header, and differs by Accept', async () => {
    const answer = await app.inject(`${BASE_PATH}/tokens`);
    expect(answer.json().error.request_id).toBe(answer.headers['x-request-id']);
    expect(answer.headers.vary).toBe('Accept');
  });

  it('has no body when HEAD asked, and the same status', async () => {
    const { statusCode, body, headers } = await app.inject({ method: 'HEAD', url: `${BASE_PATH}/tokens` });
    expect([statusCode, body, headers['content-type']]).toEqual([401, '', 'application/json; charset=utf-8']);
  });

  it('repeats nothing of what was sent but the name of the parameter', async () => {
    const { body } = await app.inject({ url: `${BASE_PATH}/tokens?limit=<script>`, headers: KEY_HEADERS });
    expect(body).not.toContain('script');
  });
});
