import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

/**
 * `localhost` is two addresses, and a server that was told the name listens on the
 * first one alone. This takes connections on the others too, for the same server
 * and within its bounds. An address that cannot be listened on is left out.
 */
export async function listenOnEveryLoopback(server: Server): Promise<void> {
  const { address: first, port } = server.address() as AddressInfo;
  const found = await lookup('localhost', { all: true }).catch(() => []);
  const others = new Set(found.map(({ address }) => address).filter((address) => address !== first));
  await Promise.all([...others].map((host) => listenToo(server, host, port)));
}

function listenToo(server: Server, host: string, port: number): Promise<void> {
  const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  server.once('close', () => other.close());
  return new Promise((resolve) => {
    other.once('error', () => resolve());
    other.listen({ host, port }, () => resolve());
  });
}
