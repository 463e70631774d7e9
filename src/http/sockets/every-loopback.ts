import { lookup } from 'node:dns/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * `localhost` is two addresses, and a server that was told the name listens on the
 * first one alone. What this gives back is called when it listens: it takes connections
 * on the others too, for the same server and within its bounds. An address that cannot be
 * listened on is left out. Closing the app closes them, and waits for what is under way there.
 */
export function everyLoopback(app: FastifyInstance, findHosts = addressesOfLocalhost): () => Promise<void> {
  const others: Server[] = [];
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    closed = Promise.all(others.map((other) => new Promise((resolve) => other.close(resolve))));
  });
  // Runs when the app's own server is closed; idle connections, these too, were closed with it.
  app.addHook('onClose', async () => {
    await closed;
  });
  return async () => {
    const { address: first, port } = app.server.address() as AddressInfo;
    const hosts = new Set((await findHosts()).filter((host) => host !== first));
    const listening = [...hosts].map((host) => {
      const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        app.server.emit('connection', socket),
      );
      others.push(other);
      return listen(other, host, port);
    });
    await Promise.all(listening);
  };
}

async function addressesOfLocalhost(): Promise<string[]> {
  const found = await lookup('localhost', { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

function listen(other: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve) => {
    // Stays for good: an accept that fails later must not be the process's end.
    other.on('error', () => resolve());
    other.listen({ host, port }, () => resolve());
  });
}
