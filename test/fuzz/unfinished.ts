import { once } from 'node:events';
import { connect } from 'node:net';
import { unfinishedRequests } from './broken-http.ts';

/** The service gives a request 15 seconds to arrive, and looks every 30 seconds for those that did not. */
const GIVEN_UP_MS = 60_000;

/** Begins requests that are never finished. Resolves with what is wrong, once the service has given all of them up. */
export async function askUnfinished(port: number): Promise<string[]> {
  const faults = await Promise.all(unfinishedRequests('').map((bytes) => leaveOpen(port, bytes)));
  return faults.filter((fault) => fault !== undefined);
}

async function leaveOpen(port: number, bytes: Buffer): Promise<string | undefined> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  const received: Buffer[] = [];
  socket.on('data', (part: Buffer) => received.push(part));
  const timer = setTimeout(() => socket.destroy(), GIVEN_UP_MS);
  const startedAt = performance.now();
  socket.write(bytes);
  await once(socket, 'close');
  clearTimeout(timer);
  const answer = Buffer.concat(received).toString('latin1');
  const shown = bytes.toString('latin1').slice(0, 60);
  if (performance.now() - startedAt > GIVEN_UP_MS - 1_000) return `an unfinished request was never given up: ${shown}`;
  return /^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 4\d\d /.test(answer)
    ? undefined
    : `an unfinished request was answered with ${JSON.stringify(answer.slice(0, 100))}: ${shown}`;
}
