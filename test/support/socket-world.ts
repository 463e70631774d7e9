import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createClientAddress } from '../../src/http/client-address.ts';
import { everyLoopback } from '../../src/http/sockets/every-loopback.ts';
import { createSocketBounds, type SocketBounds } from '../../src/http/sockets/socket-bounds.ts';
import { SOCKET_LIMITS, type SocketLimits } from '../../src/http/sockets/socket-limits.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { buildTestApp } from './api-app.ts';

/** Long enough for the slowest machine; nothing waits so long when it holds. */
export const PATIENCE_MS = 15_000;
/** More than the kernel keeps for two ends of a connection. */
export const LARGE = Buffer.alloc(32 * 1024 ** 2, 'x');
/** As `localhost` may name two. */
export const SECOND_LOOPBACK = '127.0.0.2';
export const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n';

/** The service on sockets of its own, and clients that do as a test says. */
export function createSocketWorld() {
  const clients = new Set<Socket>();
  let app: FastifyInstance | undefined;
  const served = {
    /** Requests of `/counted` that were carried out. */
    counted: 0,
    /** The answer of `/late`. */
    late: Promise.resolve(''),
  };

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
    app.get('/late', () => served.late);
    served.counted = 0;
    app.get('/counted', async () => {
      served.counted += 1;
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

  return {
    served,
    listen,
    join,
    get server() {
      return app!.server;
    },
    async close(): Promise<void> {
      for (const client of clients) client.destroy();
      clients.clear();
      await app?.close();
    },
  };
}

/** All that comes until the service has closed its side. */
export async function readAll(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.resume();
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  return Buffer.concat(parts).toString('latin1');
}

/** So many bytes and more, or what came until the service hung up. */
export function take(socket: Socket, enough: number): Promise<number> {
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

/** Waits until it is so. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('still not so');
    await systemClock.sleep(5);
  }
}

/** A clock that stands still until the test lets time pass; sweeps go on. */
export function sweptByHand() {
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
