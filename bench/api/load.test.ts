import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { load } from './load.ts';

/** Of every so many answers one is a refusal; 0 for none. */
let refusedOf = 0;
const seen = { keys: [] as string[], paths: new Set<string>() };
let server: Server;
let address = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.keys.push(String(request.headers['x-api-key']));
    seen.paths.add(request.url ?? '');
    response.statusCode = refusedOf > 0 && seen.keys.length % refusedOf === 0 ? 429 : 200;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});
beforeEach(() => {
  seen.keys = [];
  seen.paths.clear();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (keys: readonly string[]) =>
  load({ address, path: '/tokens?limit=1', keys, connections: 4, amount: { requests: 40 } });

describe('the load of a benchmark', () => {
  it('is answered as often as it was asked for, with the keys of all customers', async () => {
    refusedOf = 0;
    const { answered, perSecond } = await ask(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(answered).toBe(40);
    expect(perSecond).toBeGreaterThan(0);
    expect([...new Set(seen.keys)].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect([...seen.paths]).toEqual(['/api/tokens?limit=1']);
  });

  it('is asked with the only key there is by every connection', async () => {
    refusedOf = 0;
    expect((await ask(['only'])).answered).toBe(40);
    expect(new Set(seen.keys)).toEqual(new Set(['only']));
  });

  it('ends the benchmark when one request of many was refused', async () => {
    refusedOf = 40;
    await expect(ask(['a'])).rejects.toThrow('1 refused of {"200":{"count":39},"429":{"count":1}}');
  });
});
