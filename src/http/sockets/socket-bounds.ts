import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { addressNetwork } from '../../accounts/rate-limits.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Alarm } from '../../kernel/alarms.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Arrival } from '../client-address.ts';
import { createAddressCounts, peerOf } from './address-counts.ts';
import type { SocketLimits } from './socket-limits.ts';
import { type DropReason, type RefusalReason, TurnedAway } from './turned-away.ts';
import { createUnreadAnswers } from './unread-answers.ts';

/** For metrics. */
export interface SocketFigures {
  /** Open now, those that are being refused among them. */
  readonly connections: number;
  readonly maxConnections: number;
  /** Bytes of answers that nobody has taken yet. */
  readonly unreadBytes: number;
  readonly refused: Readonly<Record<RefusalReason, number>>;
  readonly dropped: Readonly<Record<DropReason, number>>;
}

export interface BoundedServer {
  readonly handler: RequestListener;
  readonly http: ServerOptions;
  /** A whole answer in the bytes of HTTP, for whoever gets no further. */
  readonly answer: (code: ErrorCode) => string;
}

/**
 * The rules that every socket of the API is under, before it is a request's and
 * whatever becomes of it: one that is upgraded stays counted until it closes.
 */
export interface SocketBounds {
  /** A server whose connections are bounded, not listening yet. Several share one count. */
  createServer(options: BoundedServer): Server;
  /** Our last words were written to a socket: it is gone soon, whether the other side reads and closes or not. */
  letGo(socket: Socket): void;
  /** True when the client would take whatever is written to the socket for an answer that is under way. */
  isAnswering(socket: Socket): boolean;
  readonly figures: SocketFigures;
  alarms(): readonly Alarm[];
}

export interface SocketBoundsOptions {
  readonly limits: SocketLimits;
  /**
   * Tells the address that a request came from, behind proxies of ours too: answers that are not read count as held by
   * that address.
   */
  readonly clientAddress: (arrival: Arrival) => string;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createSocketBounds({ limits, clientAddress, clock, log }: SocketBoundsOptions): SocketBounds {
  const { maxConnections } = limits;
  const away = new TurnedAway({ maxConnections, clock, log });
  const counts = createAddressCounts(limits.maxPerAddress);
  const open = new Set<Socket>();
  /** Sockets that are on their way out, and until when they may take for it. */
  const leaving = new Map<Socket, number>();
  const elapsed = () => clock.elapsed();
  const networkOf = (request: IncomingMessage) => addressNetwork(clientAddress(request));
  const answers = createUnreadAnswers({ limits, elapsed, networkOf, drop });
  let refusals = 0;

  function drop(socket: Socket, reason: DropReason): void {
    // It stays here until it has closed, and a look may come before that.
    if (socket.destroyed) return;
    away.dropped(reason);
    socket.destroy();
  }

  /** Costs a stranger a connection and us a few hundred bytes: nothing of it is read, and few are told at once. */
  function refuse(socket: Socket, answer: BoundedServer['answer']): void {
    away.refusedByAddress();
    if (refusals >= limits.maxRefusals) {
      socket.destroy();
      return;
    }
    refusals += 1;
    socket.once('close', () => {
      refusals -= 1;
    });
    letGo(socket);
    socket.end(answer('too_many_connections'));
    // Bytes that were sent meanwhile are thrown away: unread ones would turn the close into a reset.
    socket.resume();
  }

  function letGo(socket: Socket): void {
    if (!leaving.has(socket)) leaving.set(socket, clock.elapsed() + limits.lingerMs);
  }

  /** False when the connection is none that is served. */
  function admit(socket: Socket, answer: BoundedServer['answer']): boolean {
    // Resets of who is refused are no news, and must not be the process's.
    socket.on('error', () => {});
    if (open.size >= maxConnections) {
      away.noPlace();
      socket.destroy();
      return false;
    }
    const peer = peerOf(socket);
    const isTaken = counts.take(peer);
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      leaving.delete(socket);
      answers.forget(socket);
      if (isTaken) counts.give(peer);
    });
    if (!isTaken) refuse(socket, answer);
    return isTaken;
  }

  /** Handles a socket that is neither read from nor written to. Answers under way are judged by the sweep. */
  function onSilence(socket: Socket): void {
    if (!answers.isBusy(socket)) socket.destroy();
  }

  function sweep(): void {
    const now = clock.elapsed();
    answers.sweep();
    for (const [socket, until] of leaving) if (now >= until) drop(socket, 'lingering');
    away.tell(open.size);
  }

  async function sweepUntil(closed: AbortSignal): Promise<void> {
    // Connections that came over another listener may outlast the server's own.
    while (!closed.aborted || open.size > 0) {
      await clock.sleep(limits.sweepMs, closed.aborted ? undefined : closed);
      sweep();
    }
  }

  return {
    createServer({ handler, http, answer }) {
      const server = createServer({ ...http, ...timesOf(limits) }, (request, response) => {
        // Nothing is carried out that came in the same bytes as what broke a rule, or behind our last words.
        if (request.socket.destroyed || leaving.has(request.socket) || !answers.begin(request.socket, response)) return;
        handler(request, response);
      });
      admitOnly(server, (socket) => admit(socket, answer));
      server.maxConnections = maxConnections;
      server.on('drop', () => away.noPlace());
      server.setTimeout(limits.stalledMs, onSilence);
      const closed = new AbortController();
      server.once('listening', () => void sweepUntil(closed.signal));
      server.once('close', () => closed.abort());
      return server;
    },
    letGo,
    isAnswering: answers.isAnswering,
    get figures() {
      return {
        connections: open.size,
        maxConnections,
        unreadBytes: answers.bytes,
        ...away.figures,
      };
    },
    alarms: () => away.alarms(),
  };
}

function timesOf(limits: SocketLimits): ServerOptions {
  return {
    // Node takes a longer limit for headers as the one for whole requests.
    headersTimeout: limits.requestTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
  };
}

/** The server's own listener sees a connection that is admitted, and no other: those cost no parser. */
function admitOnly(server: Server, admits: (socket: Socket) => boolean): void {
  const serve = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (admits(socket)) for (const listener of serve) listener.call(server, socket);
  });
}
