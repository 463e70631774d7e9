import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { systemClock } from '../../src/kernel/clock.ts';
import { unfinishedRequests } from './broken-http.ts';
import { findLargeFile, readServiceFigures } from './service-figures.ts';

/** Each kind of client comes from a loopback address of its own. */
const IDLE = '127.0.77.1';
const HALF_OPEN = '127.0.77.2';
const NEVER_READS = (each: number) => `127.0.78.${each + 1}`;
/** Over the bound of an address, 256. */
const IDLE_CLIENTS = 300;
const OVER_THE_BOUND = IDLE_CLIENTS - 256;
const HALF_OPEN_CLIENTS = 50;
/** More than the kernel and the service keep together: each asks for a page of a megabyte and more as often as its address may. */
const READERS = 10;
const ASKED_EACH = 30;
/** All of it is over after the longest of the service's times, 20 seconds, on a machine that is slow. */
const GONE_MS = 120_000;
const LOOK_AGAIN_MS = 500;

/**
 * Opens connections that nobody reads from and nobody closes: idle ones over the bound of
 * their address, requests that stop, and readers who never read. Resolves with what is wrong, once the
 * service has let go of all of them.
 */
export async function pressSockets(port: number): Promise<string[]> {
  const clients: Socket[] = [];
  const open = async (localAddress: string, bytes: string | Buffer = '') => {
    const socket = connect({ host: '127.0.0.1', port, localAddress, allowHalfOpen: true });
    socket.on('error', () => {}).pause();
    clients.push(socket);
    await once(socket, 'connect');
    if (bytes.length > 0) socket.write(bytes);
  };
  try {
    const before = await readFigures(port);
    const file = await findLargeFile(port);
    const unfinished = unfinishedRequests('');
    for (let each = 0; each < IDLE_CLIENTS; each += 1) await open(IDLE);
    for (let each = 0; each < HALF_OPEN_CLIENTS; each += 1) await open(HALF_OPEN, unfinished[each % unfinished.length]);
    const requests = `GET ${file} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n`.repeat(ASKED_EACH);
    for (let each = 0; each < READERS; each += 1) await open(NEVER_READS(each), requests);
    const faults: string[] = [];
    const deadline = systemClock.elapsed() + GONE_MS;
    for (;;) {
      await systemClock.sleep(LOOK_AGAIN_MS);
      const now = await readFigures(port);
      if (now.connections <= before.connections && now.unreadBytes === 0) {
        const refused = now.refused - before.refused;
        const unread = now.unread - before.unread;
        if (refused < OVER_THE_BOUND)
          faults.push(`${refused} of ${OVER_THE_BOUND} connections over the bound were refused`);
        if (unread < READERS) faults.push(`${unread} of ${READERS} readers who never read were dropped`);
        return faults;
      }
      if (systemClock.elapsed() > deadline) {
        return [`${now.connections} connections are still held, with ${now.unreadBytes} bytes that nobody reads`];
      }
    }
  } finally {
    for (const client of clients) client.destroy();
  }
}

interface Figures {
  readonly connections: number;
  readonly unreadBytes: number;
  readonly refused: number;
  readonly unread: number;
}

async function readFigures(port: number): Promise<Figures> {
  const figure = await readServiceFigures(port);
  const dropped = (reason: string) => figure(`http_connections_dropped_total{reason="${reason}"}`);
  return {
    connections: figure('http_connections'),
    unreadBytes: figure('http_unread_bytes'),
    refused: figure('http_connections_refused_total{reason="address"}'),
    unread: dropped('stalled') + dropped('unread') + dropped('slow'),
  };
}
