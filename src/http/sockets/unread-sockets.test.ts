import { afterEach, describe, expect, it } from 'vitest';
import { createSocketWorld, LARGE, PATIENCE_MS, sweptByHand, take, until } from '../../../test/support/socket-world.ts';
import { SOCKET_LIMITS } from './socket-limits.ts';

const world = createSocketWorld();
const { join, listen } = world;
afterEach(() => world.close());

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
