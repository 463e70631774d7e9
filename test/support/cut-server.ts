import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A way to a Postgres server that can be cut, or swallow whatever is sent. */
export interface CutServer {
  /** The same database, by this way. */
  readonly url: string;
  /** Ends every connection at once, as a server does that is killed. */
  cut(): void;
  /** From now on nothing comes back, and nobody says why. */
  swallow(): void;
  close(): Promise<void>;
}

const SERVER_PORT = '5432';
const SOCKET_NAME = `.s.PGSQL.${SERVER_PORT}`;

/** Stands between a test and the server that `url` names, by the folder of its socket or by its host. */
export async function startCutServer(url: string): Promise<CutServer> {
  const dir = await mkdtemp(join(tmpdir(), 'mscut-'));
  const { hostname, port, searchParams } = new URL(url);
  const folder = searchParams.get('host');
  const target =
    folder === null ? { host: hostname, port: Number(port || SERVER_PORT) } : { path: join(folder, SOCKET_NAME) };
  const open = new Set<Socket>();
  let swallows = false;
  const server = createServer((near) => {
    const far = connect(target);
    near.on('data', (bytes) => swallows || far.write(bytes));
    far.on('data', (bytes) => swallows || near.write(bytes));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(join(dir, SOCKET_NAME));
  await once(server, 'listening');
  const through = new URL(url);
  through.port = SERVER_PORT;
  through.searchParams.set('host', dir);
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: through.href,
    cut,
    swallow() {
      swallows = true;
    },
    async close() {
      cut();
      server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
