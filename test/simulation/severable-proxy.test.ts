import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type SeverableProxy, startSeverableProxy } from './severable-proxy.ts';

/** The part of each request that the server has: its URL, and its body so far. */
let seen: { url: string; body: string }[];
let server: Server;
let proxy: SeverableProxy;
beforeEach(async () => {
  seen = [];
  server = createServer((asked, answer) => {
    const one = { url: asked.url ?? '', body: '' };
    seen.push(one);
    asked.on('data', (bytes: Buffer) => {
      one.body += String(bytes);
    });
    asked.on('end', () => answer.end('done'));
    asked.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await startSeverableProxy((server.address() as AddressInfo).port);
});
afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

function post(query: string, body = 'rows'): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = `/?query=${encodeURIComponent(query)}`;
    const asked = request({ port: proxy.port, path, method: 'POST', agent: false }, (answer: IncomingMessage) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const INSERT = 'INSERT INTO swaps FORMAT RowBinary';

describe('a wire that stands still', () => {
  it('holds a flush’s insert back, and all that is asked behind it, until it goes on', async () => {
    const held = proxy.atFlushInsert(1, 'hold');
    expect(await post(INSERT)).toBe(200);
    // Renewals of the lease are no part of a flush.
    expect(await post('INSERT INTO writer_lease FORMAT JSONEachRow')).toBe(200);
    const second = post(INSERT);
    await held;
    const behind = post('SELECT 1');
    expect(seen).toHaveLength(2);
    proxy.thaw();
    expect(await Promise.all([second, behind])).toEqual([200, 200]);
    expect(seen).toHaveLength(4);
  });

  it('gives the server half of an insert, and the other half when it goes on', async () => {
    const held = proxy.atFlushInsert(0, 'holdHalf');
    const body = 'x'.repeat(1_000);
    const insert = post(INSERT, body);
    await held;
    await eventually(() => expect(seen).toHaveLength(1));
    expect(seen[0]!.body.length).toBeLessThan(1_000);
    proxy.thaw();
    expect(await insert).toBe(200);
    expect(seen[0]!.body).toBe(body);
  });
});

describe('a wire that is cut at an insert', () => {
  it('lets all of it through, and hides the answer', async () => {
    const hidden = proxy.atFlushInsert(0, 'hide');
    await Promise.all([expect(post(INSERT)).rejects.toThrow(), hidden]);
    expect(seen.map(({ body }) => body)).toEqual(['rows']);
    await expect(post('SELECT 1')).rejects.toThrow();
  });

  it('lets half of it through', async () => {
    const cut = proxy.atFlushInsert(0, 'cut');
    await Promise.all([expect(post(INSERT, 'x'.repeat(1_000))).rejects.toThrow(), cut]);
    expect(seen.every(({ body }) => body.length < 1_000)).toBe(true);
  });
});
