import { once } from 'node:events';
import { get } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createSocketWorld, HEALTH, readAll, SECOND_LOOPBACK, until } from '../../../test/support/socket-world.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { SocketLimits } from './socket-limits.ts';

/** Times that end within a test, in the order in which the real ones do. */
const SHORT: Partial<SocketLimits> = { requestTimeoutMs: 100, timeoutCheckMs: 20, lingerMs: 50, sweepMs: 10 };

const world = createSocketWorld();
const { join, listen } = world;
afterEach(() => world.close());

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

  it('are told so only as far as the bound at once, and closed without a word beyond it', async () => {
    const { port, bounds } = await listen({ maxPerAddress: 1, maxRefusals: 2, lingerMs: 600_000 });
    await join(port);
    const refused = await Promise.all(Array.from({ length: 20 }, () => join(port).catch(() => undefined)));
    await until(() => bounds.figures.refused.address === 20 && bounds.figures.connections === 3);
    const said = refused.map((socket) => (socket === undefined || socket.closed ? '' : readAll(socket)));
    expect((await Promise.all(said)).filter((text) => text.includes('429 Too Many'))).toHaveLength(2);
  });

  it('cost nothing beyond the bound: none is kept that does not read', async () => {
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

  it('count once each, however soon one looks again', async () => {
    let isTurn = false;
    const sleep = () => {
      isTurn = !isTurn;
      return new Promise<void>((resolve) => (isTurn ? setImmediate(resolve) : resolve()));
    };
    const { port, bounds } = await listen(SHORT, { clock: { ...systemClock, sleep } });
    for (let each = 0; each < 5; each += 1) await join(port, 'GET /api/hea');
    await until(() => bounds.figures.connections === 0);
    expect(bounds.figures.dropped.lingering).toBe(5);
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
    expect(world.served.counted).toBe(0);
  });

  it('are closed between two requests too', async () => {
    const { port, bounds } = await listen({ ...SHORT, keepAliveTimeoutMs: 50 });
    await join(port, HEALTH);
    await until(() => bounds.figures.connections === 0);
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
    world.served.late = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const answered = readAll(await join(port, 'GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
    await once(world.server, 'timeout');
    answer('at last');
    expect(await answered).toMatch(/ 200 OK[\s\S]*at last$/);
    expect(bounds.figures.dropped.stalled).toBe(0);
  });
});
