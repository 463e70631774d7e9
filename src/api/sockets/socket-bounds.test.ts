import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp } from '../../../test/support/api-app.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createClientAddress } from '../plugins/client-address.ts';
import { everyLoopback } from './every-loopback.ts';
import { createSocketBounds, type SocketBounds } from './socket-bounds.ts';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.ts';

/** Long enough for the slowest machine; nothing waits so long when it holds. */
const PATIENCE_MS = 15_000;
/** Times that end within a test, in the order in which the real ones do. */
const SHORT: Partial<SocketLimits> = { requestTimeoutMs: 100, timeoutCheckMs: 20, lingerMs: 50, sweepMs: 10 };
/** More than the kernel keeps for two ends of a connection. */
const LARGE = Buffer.alloc(32 * 1024 ** 2, 'x');
/** As `localhost` may name two. */
const SECOND_LOOPBACK = '127.0.0.2';
const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n';

const clients = new Set<Socket>();
let app: FastifyInstance | undefined;
/** Requests of `/counted` that were carried out. */
let counted = 0;
/** What `/late` is answered with. */
let late: Promise<string> = Promise.resolve('');
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients.clear();
  await app?.close();
});

async function listen(
  limits: Partial<SocketLimits>,
  { host = '127.0.0.1', trustedHops = 0, clock = systemClock, isEveryLoopback = false } = {},
): Promise<{ port: number; bounds: SocketBounds }> {
  const bounds = createSocketBounds({
    limits: { ...SOCKET_LIMITS, sweepMs: 10, ...limits },
    clientAddress: createClientAddress(trustedHops),
    clock,
    log: silentLogger,
  });
  app = buildTestApp({ sockets: bounds });
  app.get('/large', async () => LARGE);
  app.get('/never', () => new Promise(() => {}));
  app.get('/late', () => late);
  counted = 0;
  app.get('/counted', async () => {
    counted += 1;
    return '';
  });
  const listenOnOthers = everyLoopback(app, async () => [host, SECOND_LOOPBACK]);
  await app.listen({ host, port: 0 });
  if (isEveryLoopback) await listenOnOthers();
  return { port: (app.server.address() as AddressInfo).port, bounds };
}

/** A client that never closes and never reads, until it is told to. */
async function join(port: number, sent = '', localAddress = '127.0.0.1', host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host, port, localAddress, allowHalfOpen: true });
  clients.add(socket);
  socket.on('error', () => {}).pause();
  await once(socket, 'connect');
  if (sent !== '') socket.write(sent);
  return socket;
}

/** All that comes until the service has closed its side. */
async function readAll(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.resume();
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  return Buffer.concat(parts).toString('latin1');
}

/** So many bytes and more, or what came until the service hung up. */
function take(socket: Socket, enough: number): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    if (socket.closed) resolve(bytes);
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > enough) resolve(bytes);
    });
    socket.on('close', () => resolve(bytes));
    socket.resume();
  });
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('still not so');
    await systemClock.sleep(5);
  }
}

/** A clock that stands still until the test lets time pass; sweeps go on. */
function sweptByHand() {
  let [time, sweeps] = [0, 0];
  const sleep: Clock['sleep'] = (ms, signal) => {
    sweeps += 1;
    return systemClock.sleep(ms, signal);
  };
  const swept = (enough: number) => until(() => sweeps >= enough);
  return {
    ...systemClock,
    elapsed: () => time,
    sleep,
    /** Between sweeps: those before see what was taken until now, those behind see the new time. */
    async pass(ms: number): Promise<void> {
      await swept(sweeps + 3);
      time += ms;
      await swept(sweeps + 3);
    },
  };
}

async function statusOf(port: number, localAddress: string): Promise<number | undefined> {
  const request = get({ host: '127.0.0.1', port, path: '/api/health', localAddress, agent: false });
  const [response] = await once(request, 'response');
  response.resume();
  return response.statusCode;
}

describe('connections of one address', () => {
  it('are served up to the bound, and told beyond it; others are served all the same', async () => {
    const { port, bounds } = await listen({ maxPerAddress: 3 });
    const first = await join(port);
    await join(port);
    await join(port);
    const refused = await readAll(await join(port, HEALTH));
    expect(refused).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(refused).toContain('Connection: close');
    expect(JSON.parse(refused.split('\r\n\r\n')[1]!).error.code).toBe('too_many_connections');
    expect(await statusOf(port, '127.0.0.2')).toBe(200);
    expect(bounds.figures.refused).toEqual({ full: 0, address: 1 });
    first.destroy();
    await until(() => bounds.figures.connections <= 2);
    expect(await statusOf(port, '127.0.0.1')).toBe(200);
  });

  it('cost nothing beyond the bound: few are told at once, and none is kept that does not read', async () => {
    const { port, bounds } = await listen({ maxPerAddress: 1, maxRefusals: 2, lingerMs: 50 });
    await join(port);
    const refused = await Promise.all(Array.from({ length: 20 }, () => join(port).catch(() => undefined)));
    expect(refused).toHaveLength(20);
    await until(() => bounds.figures.refused.address === 20 && bounds.figures.connections === 1);
  });

  it('have no bound at 0', async () => {
    const { port, bounds } = await listen({ maxPerAddress: 0 });
    await Promise.all(Array.from({ length: 300 }, () => join(port)));
    await until(() => bounds.figures.connections === 300);
    expect(bounds.figures.refused).toEqual({ full: 0, address: 0 });
  });
});

describe('all connections', () => {
  it('stay below their bound, with an alarm and not with a word each; room is used again', async () => {
    const { port, bounds } = await listen({ maxConnections: 5 });
    const held = await Promise.all(Array.from({ length: 5 }, () => join(port)));
    await until(() => bounds.figures.connections === 5);
    await Promise.all(Array.from({ length: 10 }, () => join(port).catch(() => undefined)));
    await until(() => bounds.figures.refused.full === 10);
    expect(bounds.figures.connections).toBe(5);
    expect(bounds.alarms().map(({ code }) => code)).toEqual(['connections_full']);
    for (const socket of held) socket.destroy();
    await until(() => bounds.figures.connections === 0);
    expect(await statusOf(port, '127.0.0.1')).toBe(200);
  });

  it('of both addresses of localhost are under the same bounds', async () => {
    const { port, bounds } = await listen({ maxPerAddress: 1 }, { isEveryLoopback: true });
    const socket = await join(port, HEALTH, '127.0.0.1', SECOND_LOOPBACK);
    expect((await once(socket.resume(), 'data')).toString()).toContain('200 OK');
    expect(await readAll(await join(port, HEALTH))).toContain('429 Too Many');
    expect(bounds.figures.connections).toBeGreaterThan(0);
  });
});

describe('connections that timed out', () => {
  it.each([
    ['nothing at all', ''],
    ['half a line', 'GET /api/hea'],
    ['half the headers', 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'half a body',
      'POST /api/auth/nonce HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"wallet":',
    ],
    ['what is no HTTP', '\x16\x03\x01\r\n\r\n'],
  ])('are destroyed when they sent %s, though the other side neither reads nor closes', async (_what, sent) => {
    const { port, bounds } = await listen(SHORT);
    for (let each = 0; each < 20; each += 1) await join(port, sent);
    await until(() => bounds.figures.connections === 0);
    expect(bounds.figures.dropped.lingering).toBe(20);
  });

  it('are told before', async () => {
    const { port } = await listen({ ...SHORT, lingerMs: 5_000 });
    expect(await readAll(await join(port, 'GET /api/hea'))).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('have nothing carried out that comes behind our last words', async () => {
    const { port, bounds } = await listen({ ...SHORT, lingerMs: 500 });
    const socket = await join(port, 'GET /counted HT');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
    socket.write('TP/1.1\r\nHost: x\r\n\r\n');
    await until(() => bounds.figures.connections === 0);
    expect(counted).toBe(0);
  });

  it('are closed between two requests too', async () => {
    const { port, bounds } = await listen({ ...SHORT, keepAliveTimeoutMs: 50 });
    await join(port, HEALTH);
    await until(() => bounds.figures.connections === 0);
  });
});

describe('answers that nobody reads', () => {
  it('are dropped when nothing of them is taken for a while', async () => {
    const { port, bounds } = await listen({ stalledMs: 100 });
    await join(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => bounds.figures.dropped.stalled === 1);
    await until(() => bounds.figures.connections === 0 && bounds.figures.unreadBytes === 0);
  });

  it('are dropped as soon though requests go on coming', async () => {
    const { port, bounds } = await listen({ requestTimeoutMs: 10 * PATIENCE_MS, stalledMs: 300 });
    const socket = await join(
      port,
      'GET /large HTTP/1.1\r\nHost: x\r\n\r\nGET /large HTTP/1.1\r\nHost: x\r\nX-Bytes: ',
    );
    const timer = setInterval(() => socket.write('x'), 10);
    await until(() => bounds.figures.connections === 0).finally(() => clearInterval(timer));
    expect(bounds.figures.dropped.stalled).toBe(1);
  });

  it('are not dropped while some of them is taken, though no write is ever done', async () => {
    const clock = sweptByHand();
    const { port, bounds } = await listen({}, { clock });
    const socket = await join(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => bounds.figures.unreadBytes > 0);
    for (let each = 0; each < 3; each += 1) {
      expect(await take(socket, LARGE.length / 5)).toBeGreaterThan(LARGE.length / 5);
      socket.removeAllListeners('data').pause();
      await clock.pass(0.75 * SOCKET_LIMITS.stalledMs);
      expect(bounds.figures.dropped.stalled).toBe(0);
    }
    for (let each = 0; each < 2; each += 1) await clock.pass(SOCKET_LIMITS.stalledMs);
    await until(() => bounds.figures.dropped.stalled === 1);
  });

  it('are dropped in the end when they are taken by drops', async () => {
    const { port, bounds } = await listen({ answerTimeoutMs: 300 });
    const socket = await join(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    const timer = setInterval(() => socket.read(1_024), 10);
    await until(() => bounds.figures.dropped.slow === 1).finally(() => clearInterval(timer));
  });

  it('are dropped when there is too much of them, those of the address that holds most', async () => {
    const { port, bounds } = await listen({ maxUnreadBytes: 3.5 * LARGE.length });
    const modest = await join(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n', '127.0.0.2');
    await until(() => bounds.figures.unreadBytes >= LARGE.length);
    for (let each = 0; each < 4; each += 1) await join(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n', '127.0.0.3');
    await until(() => bounds.figures.dropped.unread >= 2);
    expect(await take(modest, LARGE.length)).toBeGreaterThan(LARGE.length);
  });

  it('are those of the client that holds most behind a proxy too, not those of whichever connection is largest', async () => {
    const { port, bounds } = await listen({ maxUnreadBytes: 5.5 * LARGE.length }, { trustedHops: 1 });
    const large = (client: string) => `GET /large HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\n\r\n`;
    const slow = await join(port, large('203.0.113.1').repeat(2));
    await until(() => bounds.figures.unreadBytes >= 2 * LARGE.length);
    for (let each = 0; each < 4; each += 1) await join(port, large('203.0.113.9'));
    await until(() => bounds.figures.dropped.unread >= 1);
    expect(await take(slow, 2 * LARGE.length)).toBeGreaterThan(2 * LARGE.length);
    expect(bounds.figures.dropped.unread).toBe(2);
  });

  it('count behind one that is not taken, too', async () => {
    const { port, bounds } = await listen({ maxUnreadBytes: 2 * LARGE.length });
    await join(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5));
    await until(() => bounds.figures.dropped.unread === 1 && bounds.figures.connections === 0);
  });

  it('come whole to whoever reads on', async () => {
    const { port, bounds } = await listen({});
    const socket = await join(port, 'GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let bytes = 0;
    for await (const part of socket) bytes += part.length;
    expect(bytes).toBeGreaterThan(LARGE.length);
    expect(bounds.figures.dropped).toEqual({ stalled: 0, slow: 0, unread: 0, pipelined: 0, lingering: 0 });
  });
});

describe('requests of one connection', () => {
  it('are served side by side up to a bound, beyond which the connection is dropped', async () => {
    const { port, bounds } = await listen({ maxUnanswered: 8 });
    const answered = readAll(await join(port, HEALTH.repeat(7) + HEALTH.replace('Host', 'Connection: close\r\nHost')));
    expect((await answered).split('HTTP/1.1 200 OK')).toHaveLength(9);
    await join(port, HEALTH.replace('/api/health', '/never').repeat(9));
    await until(() => bounds.figures.dropped.pipelined === 1);
    await until(() => bounds.figures.connections === 0);
  });

  it('that take us long are not the client’s fault', async () => {
    const { port, bounds } = await listen({ stalledMs: 50 });
    let answer: (text: string) => void = () => {};
    late = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const answered = readAll(await join(port, 'GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
    await once(app!.server, 'timeout');
    answer('at last');
    expect(await answered).toMatch(/ 200 OK[\s\S]*at last$/);
    expect(bounds.figures.dropped.stalled).toBe(0);
  });
});
