import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to Postgres that tells of commits, and can lose their answers. */
export interface PostgresWire {
  readonly port: number;
  /** Resolves when somebody's commit has been sent on. */
  nextCommit(): Promise<void>;
  /** Of the next so many commits the server's answer is dropped, and the connection with it. */
  loseAnswers(commits: number): void;
  /** Answers dropped so far. */
  readonly lost: number;
  close(): Promise<void>;
}

/** As a query of its own, which ends with a zero byte. */
const COMMIT = /commit\0/i;

/** Passes bytes between loopback connections and the socket that Postgres listens on. */
export async function startPostgresWire(socketPath: string): Promise<PostgresWire> {
  const sockets = new Set<Socket>();
  let told: () => void = () => {};
  let toLose = 0;
  let lost = 0;

  const server = createServer((client) => {
    const upstream = connect(socketPath);
    let isCommitting = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      if (COMMIT.test(bytes.toString('latin1'))) {
        isCommitting = true;
        told();
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (isCommitting && toLose > 0) {
        toLose -= 1;
        lost += 1;
        client.destroy();
        return;
      }
      isCommitting = false;
      client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    nextCommit: () =>
      new Promise((resolve) => {
        told = resolve;
      }),
    loseAnswers(commits) {
      toLose += commits;
    },
    get lost() {
      return lost;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
