import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire that can be cut: passes bytes of loopback connections on, until told otherwise. */
export interface SeverableProxy {
  readonly port: number;
  /** Cuts what is connected, in the middle of whatever is under way. New connections are taken again. */
  cut(): void;
  /** Cuts, and refuses connections, until {@link mend}. */
  sever(): void;
  mend(): void;
  /** Lets so many more bytes through to the server, then severs. Resolves when that has happened. */
  severAfter(bytes: number): Promise<void>;
  /** Lets the next insert through and severs before its answer. Resolves when that has happened. */
  severAtInsertAnswer(): Promise<void>;
  close(): Promise<void>;
}

/** In an insert's URL or body, whatever its encoding. */
const INSERT = 'INSERT';

export async function startSeverableProxy(targetPort: number): Promise<SeverableProxy> {
  const sockets = new Set<Socket>();
  let severed = false;
  let budget = Number.POSITIVE_INFINITY;
  let spent: () => void = () => {};
  let hidesAnswer = false;

  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const sever = () => {
    severed = true;
    cut();
  };
  const server = createServer((client) => {
    if (severed) {
      client.destroy();
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1');
    let isInserting = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      isInserting ||= bytes.includes(INSERT);
      if (bytes.length > budget) {
        // The part that still goes through: the server sees half a request.
        upstream.write(bytes.subarray(0, budget), () => {
          sever();
          spent();
        });
        budget = Number.POSITIVE_INFINITY;
        client.pause();
        return;
      }
      budget -= bytes.length;
      if (!upstream.write(bytes)) client.pause();
    });
    upstream.on('drain', () => client.resume());
    upstream.on('data', (bytes: Buffer) => {
      if (hidesAnswer && isInserting) {
        hidesAnswer = false;
        sever();
        spent();
        return;
      }
      isInserting = false;
      if (!client.write(bytes)) upstream.pause();
    });
    client.on('drain', () => upstream.resume());
    client.on('end', () => upstream.end());
    upstream.on('end', () => client.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    sever,
    mend() {
      severed = false;
      budget = Number.POSITIVE_INFINITY;
      hidesAnswer = false;
    },
    severAfter(bytes) {
      budget = bytes;
      return new Promise((resolve) => {
        spent = resolve;
      });
    },
    severAtInsertAnswer() {
      hidesAnswer = true;
      return new Promise((resolve) => {
        spent = resolve;
      });
    },
    async close() {
      sever();
      server.close();
      await once(server, 'close');
    },
  };
}
