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
  /** Lets so many inserts of flushes through, and does that with the next one. Resolves when that has happened. */
  atFlushInsert(inserts: number, what: InsertTrouble): Promise<void>;
  /**
   * Nothing new goes through until {@link thaw}, neither questions nor answers: what was begun comes to its end at the
   * server, as that of a process which stands still.
   */
  freeze(): void;
  /** Lets everything that stood still go on from where it was. */
  thaw(): void;
  close(): Promise<void>;
}

/** Trouble of an insert: severed in its middle, or before its answer; everything frozen before it, or in its middle. */
export type InsertTrouble = 'cut' | 'hide' | 'hold' | 'holdHalf';

/** In an insert's URL or body, whatever its encoding. */
const INSERT = 'INSERT';
/** The lease is renewed by inserts of its own all the time. */
const OF_LEASE = /INSERT(?:\+|%20| )INTO(?:\+|%20| )writer_lease/;
const HEAD_END = '\r\n\r\n';

/** The insert that is waited for, and the waiter. */
interface Awaited {
  inserts: number;
  readonly what: InsertTrouble;
  readonly met: () => void;
}

export async function startSeverableProxy(targetPort: number): Promise<SeverableProxy> {
  const sockets = new Set<Socket>();
  let severed = false;
  let budget = Number.POSITIVE_INFINITY;
  let spent: () => void = () => {};
  let hidesAnswer = false;
  let awaited: Awaited | undefined;
  let frozen = false;
  /** Of each connection: lets go of what stood still. */
  const thaws = new Set<() => void>();

  /** The trouble of an insert that begins with these bytes, if it is to have any. */
  function troubleOf(bytes: Buffer): Pick<Awaited, 'what' | 'met'> | undefined {
    if (awaited === undefined || !bytes.includes(INSERT) || OF_LEASE.test(bytes.toString('latin1'))) return undefined;
    if (awaited.inserts-- > 0) return undefined;
    const trouble = awaited;
    awaited = undefined;
    return trouble;
  }

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
    /** A question is on its way, and its answer has not begun. */
    let isAsking = false;
    /** Told when the answer that must not be seen has come. */
    let hidden: (() => void) | undefined;
    let heldQuestions: Buffer[] = [];
    let heldAnswers: Buffer[] = [];
    const thaw = () => {
      for (const bytes of heldAnswers) client.write(bytes);
      for (const bytes of heldQuestions) upstream.write(bytes);
      isAsking ||= heldQuestions.length > 0;
      heldAnswers = [];
      heldQuestions = [];
    };
    thaws.add(thaw);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        thaws.delete(thaw);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      isInserting ||= bytes.includes(INSERT);
      const trouble = isAsking || frozen ? undefined : troubleOf(bytes);
      if (trouble?.what === 'cut' || trouble?.what === 'holdHalf') {
        const half = halfOf(bytes);
        isAsking = true;
        frozen = trouble.what === 'holdHalf';
        heldQuestions.push(bytes.subarray(half));
        upstream.write(bytes.subarray(0, half), () => {
          if (trouble.what === 'cut') sever();
          trouble.met();
        });
        return;
      }
      if (trouble?.what === 'hide') hidden = trouble.met;
      if (trouble?.what === 'hold') {
        frozen = true;
        trouble.met();
      }
      if (heldQuestions.length > 0 || (frozen && !isAsking)) {
        heldQuestions.push(bytes);
        return;
      }
      isAsking = true;
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
      if (hidden !== undefined) {
        sever();
        hidden();
        return;
      }
      isInserting = false;
      isAsking = false;
      if (frozen) {
        heldAnswers.push(bytes);
        return;
      }
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
    atFlushInsert(inserts, what) {
      return new Promise((met) => {
        awaited = { inserts, what, met };
      });
    },
    freeze() {
      awaited = undefined;
      frozen = true;
    },
    thaw() {
      frozen = false;
      for (const thaw of thaws) thaw();
    },
    async close() {
      sever();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The head, by which the server begins, and half of what is known of the body. */
function halfOf(bytes: Buffer): number {
  const head = bytes.indexOf(HEAD_END);
  const body = head < 0 ? 0 : head + HEAD_END.length;
  return Math.floor((body + bytes.length) / 2);
}
