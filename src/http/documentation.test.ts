import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp } from '../../test/support/api-app.ts';
import { listen, rawRequest, sendRaw } from '../../test/support/raw-http.ts';
import { chooseEncoding, DOCUMENTATION_PATHS } from './documentation-files.ts';

describe('documentation', () => {
  const app = buildTestApp();
  afterAll(() => app.close());

  it.each(['/openapi.json', '/api/openapi.json'])('serves the document at %s, without a key', async (url) => {
    const response = await app.inject(url);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/api' }] });
    const again = await app.inject({ url, headers: { 'if-none-match': String(response.headers.etag) } });
    expect(again.statusCode).toBe(304);
  });

  it('refuses to change the document', async () => {
    const response = await app.inject({ method: 'POST', url: '/openapi.json' });
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('serves the page and all it refers to from here', async () => {
    const page = await app.inject('/docs/');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/(src|href)="https?:/);
    const files = [...page.body.matchAll(/(?:src|href)="\.?\/?([^"]+)"/g)].map(([, file]) => String(file));
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const url = file.startsWith('docs/') ? `/${file}` : `/docs/${file}`;
      expect([file, (await app.inject(url)).statusCode]).toEqual([file, 200]);
    }
  });

  it('lets the page run its own scripts only', async () => {
    const policy = String((await app.inject('/docs/')).headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("default-src 'none'");
  });

  it('shows the document that the contract builds', async () => {
    expect((await app.inject('/docs/json')).json()).toEqual((await app.inject('/openapi.json')).json());
  });
});

describe('files of the documentation', () => {
  const app = buildTestApp();
  afterAll(() => app.close());
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

  it.each(DOCUMENTATION_PATHS)('%s goes out packed as the client likes it, and says nothing else', async (path) => {
    const url = `/docs${path}`;
    const plain = await app.inject(url);
    expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const isImage = String(plain.headers['content-type']).startsWith('image/');
    for (const encoding of ['br', 'gzip', 'identity'] as const) {
      const headers = { 'accept-encoding': encoding };
      const answer = await app.inject({ url, headers });
      const sent = isImage ? 'identity' : encoding;
      expect(answer.headers['content-encoding']).toBe(sent === 'identity' ? undefined : sent);
      expect(answer.headers.vary).toBe(isImage ? undefined : 'Accept-Encoding');
      expect(unpack[sent](answer.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
      const head = await app.inject({ method: 'HEAD', url, headers });
      expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
      const unlike = { date: expect.any(String), 'x-request-id': expect.any(String) };
      expect(head.headers).toEqual({ ...answer.headers, ...unlike });
    }
  });

  it.each(DOCUMENTATION_PATHS)('%s is not sent again while it is the same', async (path) => {
    const url = `/docs${path}`;
    const tags = new Set<string>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const { etag = '' } = (await app.inject({ url, headers })).headers;
      tags.add(String(etag));
      const again = await app.inject({ url, headers: { ...headers, 'if-none-match': `"x", W/${etag}` } });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
      expect(again.headers['content-encoding']).toBeUndefined();
      const other = await app.inject({ url, headers: { ...headers, 'if-none-match': '"x"' } });
      expect(other.statusCode).toBe(200);
    }
    // Each form of a file has a tag of its own, or a cache gives one to who asked for another.
    expect(tags.size).toBe(path.endsWith('.png') ? 1 : 3);
  });

  it('are kept for good where the page names their content, and asked for again elsewhere', async () => {
    const page = await app.inject('/docs/');
    expect(page.headers['cache-control']).toBe('no-cache');
    const links = [...page.body.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, link]) => String(link));
    expect(links.length).toBe(DOCUMENTATION_PATHS.filter((path) => path.startsWith('/static/')).length);
    for (const link of links) {
      const named = await app.inject(`/docs/${link}`);
      expect([link, named.headers['cache-control']]).toEqual([link, 'public, max-age=31536000, immutable']);
      for (const other of [link.replace(/\?.*/, ''), `${link}x`, `${link}&v=x`]) {
        expect((await app.inject(`/docs/${other}`)).headers['cache-control']).toBe('no-cache');
      }
    }
  });

  it('are less than a third of what they hold', async () => {
    const sizes = { br: 0, gzip: 0, identity: 0 };
    for (const path of DOCUMENTATION_PATHS.filter((each) => each.startsWith('/static/'))) {
      for (const encoding of ['br', 'gzip', 'identity'] as const) {
        const answer = await app.inject({ url: `/docs${path}`, headers: { 'accept-encoding': encoding } });
        sizes[encoding] += answer.rawPayload.length;
      }
    }
    expect(sizes.br).toBeLessThan(sizes.identity / 3);
    expect(sizes.gzip).toBeLessThan(sizes.identity / 3);
  });
});

describe('the choice of an encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    ['identity', 'identity'],
    ['identity, br;q=0.5', 'identity'],
    ['identity;q=0.5, br;q=0.5', 'br'],
    ['identity;q=0, br', 'br'],
    ['identity;q=0', 'identity'],
    ['br;q=2, gzip;q=x', 'identity'],
    ['br;q=0.001', 'br'],
    ['zstd', 'identity'],
    [`${'br;q=0,'.repeat(2_000)}gzip`, 'gzip'],
  ])('for %j is %s', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
  });
});

describe('what lies beside the files of the documentation', () => {
  const app = buildTestApp();
  let port = 0;
  beforeAll(async () => {
    port = await listen(app);
  });
  afterAll(() => app.close());

  it.each([
    '/docs/static/..',
    '/docs/static/../',
    '/docs/static/../json',
    '/docs/static/../../package.json',
    '/docs/static/./swagger-ui.css',
    '/docs/static/a/../swagger-ui.css',
    '/docs/static/%2e%2e/json',
    '/docs/static/%2E%2e/%2e%2E/package.json',
    '/docs/static/.%2e/json',
    '/docs/static/..%2fjson',
    '/docs/static/..%2f..%2fpackage.json',
    '/docs/static/%2e%2e%2fpackage.json',
    '/docs/static/..\\package.json',
    '/docs/static/..%5cpackage.json',
    '/docs/static/%252e%252e%252fpackage.json',
    '/docs/static/%252e%252e/package.json',
    '/docs/static/%00',
    '/docs/static/swagger-ui.css%00',
    '/docs/static/%00/../package.json',
    '/docs/static/..;/package.json',
    '/docs/static//etc/passwd',
    '/docs/static/%2fetc/passwd',
    '/docs/static/C:/windows/win.ini',
    '/docs/static/.',
    '/docs/static/.gitignore',
    '/docs/static/csp.json',
    '/docs/static/index.html',
    '/docs/../package.json',
    '/docs/static/../'.repeat(200),
  ])('is 404 in our words: %s', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const [answer] = await sendRaw(port, rawRequest(`${method} ${path}`));
      expect([method, answer?.status]).toEqual([method, 404]);
      if (method === 'GET') expect(JSON.parse(answer!.body).error.code).toBe('not_found');
    }
  });

  it.each(['/docs/static/%ff', '/docs/static/%c0%ae%c0%ae/x', '/docs/static/%'])(
    'is 400 where the path is no text: %s',
    async (path) => {
      const [answer] = await sendRaw(port, rawRequest(`GET ${path}`));
      expect([answer?.status, JSON.parse(answer!.body).error.code]).toEqual([400, 'invalid_request']);
    },
  );
});
