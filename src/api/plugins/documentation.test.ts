import { afterAll, describe, expect, it } from 'vitest';
import { buildTestApp } from '../../../test/support/api-app.ts';

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
