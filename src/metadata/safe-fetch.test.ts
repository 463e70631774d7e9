import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createSafeFetch, type FetchWish, type SafeFetchOptions } from './safe-fetch.ts';

/** Of hosts that answer, however slow the machine. */
const TIMES = { wholeMs: 60_000, idleMs: 60_000 };
/** Of those that do not. */
const SHORT = { times: { wholeMs: 600, idleMs: 300 } };
const MAX_BYTES = 10_000;
const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const wish: FetchWish = {
  accept: 'application/json',
  acceptsType: (type) => type === 'application/json',
  maxBytes: MAX_BYTES,
  method: 'GET',
  signal: new AbortController().signal,
};

type Answering = (request: IncomingMessage, response: ServerResponse, origin: string) => void;

/** A server on loopback, with what it was asked. */
async function serve(answer: Answering) {
  const asked: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request);
    answer(request, response, origin);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, asked };
}

/** Trusts one loopback origin, because tests have no public host. */
function fetchFrom(origin: string, options: Partial<SafeFetchOptions> = {}) {
  return createSafeFetch({
    gate: { inAll: 4, perSite: () => 2 },
    resolve: () => Promise.reject(new Error('nothing is looked up')),
    times: TIMES,
    trustedOrigins: [origin],
    ...options,
  });
}

const json = { 'content-type': 'application/json; charset=utf-8' };

describe('an honest host', () => {
  it('is asked with no cookie, no credentials and no referer, also after it set a cookie and redirected', async () => {
    const { origin, asked } = await serve((request, response) => {
      const headers = { 'set-cookie': 'id=1; Path=/', ...(request.url === '/' ? { location: '/there?a=1' } : json) };
      response.writeHead(request.url === '/' ? 302 : 200, headers).end('{"a":1}');
    });
    const answer = await fetchFrom(origin)(`${origin}/`, wish);
    expect({ ...answer, body: answer.body.toString() }).toEqual({
      status: 200,
      type: 'application/json',
      body: '{"a":1}',
    });
    expect(asked.map(({ url }) => url)).toEqual(['/', '/there?a=1']);
    for (const { headers } of asked) {
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
      expect(headers['accept-encoding']).toBe('identity');
    }
  });

  it('tells its status without its body where it has nothing', async () => {
    const { origin } = await serve((_request, response) => response.writeHead(404, json).end('{"a":1}'));
    expect(await fetchFrom(origin)(origin, wish)).toMatchObject({ status: 404, body: Buffer.alloc(0) });
  });
});

describe('a hostile host', () => {
  const forever = (write: () => void) => {
    const timer = setInterval(write, 10);
    closing.push(() => clearInterval(timer));
  };

  it.each<[string, Answering]>([
    ['answers nothing at all', () => {}],
    ['falls silent in the middle', (_request, response) => void response.writeHead(200, json).write('{"a":')],
    [
      'sends a byte now and then',
      (_request, response) => {
        response.writeHead(200, json);
        forever(() => void response.write(' '));
      },
    ],
    ['sends provisional answers without end', (_request, response) => forever(() => response.writeProcessing())],
    [
      'breaks off',
      (_request, response) =>
        void response.writeHead(200, { ...json, 'content-length': 9 }).write('{', () => response.destroy()),
    ],
  ])('that %s is given up', async (_what, answer) => {
    const { origin } = await serve(answer);
    // Without an end to it this would last until the test's own timeout.
    await expect(fetchFrom(origin, SHORT)(origin, wish)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it.each<[string, Record<string, string | number>, Buffer]>([
    ['says that its body is too large', { ...json, 'content-length': MAX_BYTES + 1 }, Buffer.alloc(MAX_BYTES + 1)],
    ['sends a page', { 'content-type': 'text/html' }, Buffer.from('<html>')],
    ['packs its body', { ...json, 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000))],
    [
      'packs its body twice',
      { ...json, 'content-encoding': 'gzip, gzip' },
      gzipSync(gzipSync(Buffer.alloc(50_000_000))),
    ],
  ])('that %s is not read', async (_what, headers, body) => {
    const { origin } = await serve((_request, response) => response.writeHead(200, headers).end(body));
    await expect(fetchFrom(origin)(origin, wish)).rejects.toMatchObject({ kind: 'unusable' });
  });

  it('that sends without end is read up to the largest body', async () => {
    let sent = 0;
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, json);
      // A newer Node calls back at once, with an error, when the line is gone: whoever wrote on then would never yield.
      const more = (error?: Error | null) => {
        if (error || response.destroyed) return;
        sent += MAX_BYTES;
        response.write(Buffer.alloc(MAX_BYTES), more);
      };
      more();
    });
    await expect(fetchFrom(origin)(origin, wish)).rejects.toMatchObject({ kind: 'unusable' });
    // The system takes in so much before anybody reads it, and no more.
    expect(sent).toBeLessThan(2_000 * MAX_BYTES);
  });

  it.each([
    ['headers without end', (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n`)],
    ['what is no HTTP', (socket: Socket) => socket.write('220 mail.example.com ESMTP\r\n')],
    [
      'that it speaks another protocol from now on',
      (socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
  ])('that sends %s is given up', async (_what, write) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      write(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(fetchFrom(origin, SHORT)(origin, wish)).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

describe('a redirect', () => {
  it.each([
    ['to itself', '/', 'unusable'],
    ['to what is no URL', 'https://', 'unusable'],
    ['to a script', 'javascript:alert(1)', 'refused'],
    ['to a file', 'file:///etc/passwd', 'refused'],
    ['to the metadata of a cloud', 'https://169.254.169.254/latest/meta-data/', 'refused'],
    ['to loopback by one number', 'https://2130706433/', 'refused'],
    ['to mapped loopback', '//[::ffff:127.0.0.1]/', 'refused'],
    ['to plain http', 'http://example.com/', 'refused'],
  ])('%s leads nowhere', async (_where, location, kind) => {
    const { origin, asked } = await serve((_request, response) => response.writeHead(302, { location }).end());
    await expect(fetchFrom(origin)(`${origin}/`, wish)).rejects.toMatchObject({ kind });
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it('to a server beside the trusted one is never followed', async () => {
    const inner = await serve((_request, response) => response.writeHead(200, json).end('{"secret":1}'));
    for (const location of [
      inner.origin,
      inner.origin.replace('127.0.0.1', 'localhost'),
      inner.origin.replace('http:', 'https:'),
    ]) {
      const { origin } = await serve((_request, response) => response.writeHead(307, { location }).end());
      await expect(fetchFrom(origin)(origin, wish)).rejects.toMatchObject({ kind: 'refused' });
    }
    expect(inner.asked).toEqual([]);
  });

  it('to a name that leads inside is never followed', async () => {
    const { origin } = await serve((_request, response) =>
      response.writeHead(302, { location: 'https://in.example.com/' }).end(),
    );
    const lookedUp: string[] = [];
    const resolve = async (host: string) => {
      lookedUp.push(host);
      return ['192.168.0.1'];
    };
    await expect(fetchFrom(origin, { resolve })(origin, wish)).rejects.toMatchObject({ kind: 'refused' });
    expect(lookedUp).toEqual(['in.example.com']);
  });

  it('is followed three times and no more', async () => {
    const hops =
      (last: number): Answering =>
      (request, response) => {
        const at = Number(request.url?.slice(1));
        if (at === last) response.writeHead(200, json).end('{}');
        else response.writeHead(301, { location: `/${at + 1}` }).end();
      };
    const three = await serve(hops(3));
    expect((await fetchFrom(three.origin)(`${three.origin}/0`, wish)).status).toBe(200);
    const four = await serve(hops(4));
    await expect(fetchFrom(four.origin)(`${four.origin}/0`, wish)).rejects.toMatchObject({ kind: 'unusable' });
    expect(four.asked).toHaveLength(4);
  });
});

describe('bounds', () => {
  it('no more fetches are under way at one site, and in all, than may be', async () => {
    const { origin } = await serve(() => {});
    const other = await serve(() => {});
    const fetch = createSafeFetch({
      gate: { inAll: 3, perSite: () => 2 },
      ...SHORT,
      trustedOrigins: [origin, other.origin],
    });
    const kinds = await Promise.all(
      [origin, origin, origin, other.origin, other.origin].map((url) => fetch(url, wish).catch(({ kind }) => kind)),
    );
    expect(kinds).toEqual(['unreachable', 'unreachable', 'busy', 'unreachable', 'busy']);
    // Their places are free again.
    expect(await fetch(origin, wish).catch(({ kind }) => kind)).toBe('unreachable');
  });

  it('a name server that does not answer takes no longer than a host that does not', async () => {
    const fetch = fetchFrom('http://127.0.0.1:1', { ...SHORT, resolve: () => new Promise(() => {}) });
    await expect(fetch('https://slow.example.com/', wish)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('what is asked for after the stop fails, and only for whoever asked', async () => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', hear);
    closing.push(() => process.off('unhandledRejection', hear));
    const { origin } = await serve(() => {});
    const fetch = fetchFrom(origin, { resolve: () => Promise.reject(new Error('no such name')) });
    for (const url of [origin, 'https://example.com/']) {
      await expect(fetch(url, { ...wish, signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'unreachable' });
    }
    await setImmediate();
    expect(unheard).toEqual([]);
  });

  it('whoever asked may stop', async () => {
    const stopping = new AbortController();
    const { origin } = await serve(() => stopping.abort());
    await expect(fetchFrom(origin)(origin, { ...wish, signal: stopping.signal })).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });
});
