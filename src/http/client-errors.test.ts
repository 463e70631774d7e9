import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp } from '../../test/support/api-app.ts';
import { listen, rawRequest, sendRaw } from '../../test/support/raw-http.ts';

const ALL_METHODS = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';

describe('a method', () => {
  const app = buildTestApp();
  let port = 0;
  beforeAll(async () => {
    port = await listen(app);
  });
  afterAll(() => app.close());

  it.each(['FOO', 'get', 'GETS', 'BREW', 'X!#$%', 'CONNECT'])(
    'that no HTTP server knows, %s, is 405 with all that are known, and ends the connection',
    async (method) => {
      const [answer, ...others] = await sendRaw(port, `${method} /api/health HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(answer?.status).toBe(405);
      expect(answer?.headers).toMatchObject({ allow: ALL_METHODS, connection: 'close' });
      expect(JSON.parse(answer!.body).error.code).toBe('method_not_allowed');
      expect(others).toEqual([]);
    },
  );

  it('that opens a tunnel is refused like every other: this is no proxy', async () => {
    const [answer] = await sendRaw(port, 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n');
    expect([answer?.status, answer?.headers.allow]).toEqual([405, ALL_METHODS]);
  });

  it.each(['FOO', 'FOO /', 'FOO /x HTTP/3.0', 'FOO/x HTTP/1.1', 'hello world', `${'F'.repeat(65)} / HTTP/1.1`])(
    'of what is no request, %s, is 400',
    async (line) => {
      const [answer] = await sendRaw(port, `${line}\r\nHost: x\r\n\r\n`);
      expect([answer?.status, JSON.parse(answer!.body).error.code]).toEqual([400, 'invalid_request']);
    },
  );

  it('of any kind is 405 over the wire where the path is known, and 404 where it is not', async () => {
    const known = ['/api/health', '/openapi.json', '/errors', '/errors/not_found', '/docs', '/docs/json'];
    for (const method of METHODS.filter((each) => !['GET', 'HEAD', 'CONNECT', 'OPTIONS'].includes(each))) {
      for (const path of known) {
        const [answer] = await sendRaw(port, rawRequest(`${method} ${path}`));
        expect([method, path, answer?.status, answer?.headers.allow]).toEqual([method, path, 405, 'GET, HEAD']);
      }
      for (const path of ['/nowhere', '/api/nowhere', '/docs/nowhere']) {
        const [answer] = await sendRaw(port, rawRequest(`${method} ${path}`));
        expect([method, path, answer?.status]).toEqual([method, path, 404]);
      }
    }
  });

  it('asks for another protocol in vain: the request is answered as it is', async () => {
    const headers = { Connection: 'Upgrade, close', Upgrade: 'websocket' };
    const [answer] = await sendRaw(port, rawRequest('GET /api/health', headers));
    expect(answer?.status).toBe(200);
  });
});

describe('a request that is being answered', () => {
  it.each(['FOO /x HTTP/1.1', 'CONNECT 127.0.0.1:22 HTTP/1.1', 'no HTTP'])(
    'never gets the answer of what came behind it in the same packet: %s',
    async (line) => {
      const app = buildTestApp();
      app.get('/never', () => new Promise(() => {}));
      const port = await listen(app);
      const bytes = `GET /never HTTP/1.1\r\nHost: x\r\n\r\n${line}\r\nHost: x\r\n\r\n`;
      expect(await sendRaw(port, bytes).catch(() => [])).toEqual([]);
      await app.close();
    },
  );
});
