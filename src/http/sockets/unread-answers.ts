import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SocketLimits } from './socket-limits.ts';

/** Reasons why a connection was dropped for unread answers. */
export type UnreadReason = 'stalled' | 'slow' | 'unread' | 'pipelined';

/** Answers that are under way, and what of them nobody has taken yet. */
export interface UnreadAnswers {
  /** False when the connection has so many answers under way that this request is not served. */
  begin(socket: Socket, answer: ServerResponse): boolean;
  /** True while any answer of a connection is under way. */
  isBusy(socket: Socket): boolean;
  /**
   * True when a request that has arrived whole waits for its answer's end, or an answer was begun: other bytes would be
   * taken for it.
   */
  isAnswering(socket: Socket): boolean;
  /** The connection is closed. */
  forget(socket: Socket): void;
  /** Drops what takes too long, and while there is too much, the largest networks. */
  sweep(): void;
  /** As of the last sweep. */
  readonly bytes: number;
}

export interface UnreadAnswersOptions {
  readonly limits: SocketLimits;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Tells who asked: bytes held by the same asker are counted together. */
  readonly networkOf: (request: IncomingMessage) => string;
  readonly drop: (socket: Socket, reason: UnreadReason) => void;
}

interface Busy {
  readonly answers: Set<ServerResponse>;
  /** Time at which the oldest of them was begun, or had its turn. */
  since: number;
  /**
   * Bytes, of all ever written to the socket, that the kernel had taken, and the time when they were last more than
   * before.
   */
  taken: number;
  takenAt: number;
}

/** Bytes that one connection holds. */
export interface Holding {
  readonly socket: Socket;
  readonly network: string;
  readonly bytes: number;
}

/** Dropping goes on until so much of the bound is left, or every sweep would drop one more. */
const SHED_TO = 0.75;

export function createUnreadAnswers({ limits, elapsed, networkOf, drop }: UnreadAnswersOptions): UnreadAnswers {
  const busy = new Map<Socket, Busy>();
  let unread = 0;

  function shed(holdings: readonly Holding[]): void {
    for (const { socket, bytes } of inOrderOfDropping(holdings)) {
      if (unread <= limits.maxUnreadBytes * SHED_TO) return;
      unread -= bytes;
      drop(socket, 'unread');
    }
  }

  /** Behind a proxy one connection carries requests of many: what waits is above all the answer that is oldest. */
  function networkFor({ answers: [oldest] }: Busy): string {
    return oldest === undefined ? '' : networkOf(oldest.req);
  }

  return {
    begin(socket, answer) {
      let state = busy.get(socket);
      if (state === undefined) {
        const now = elapsed();
        state = { answers: new Set(), since: now, taken: takenOf(socket), takenAt: now };
        busy.set(socket, state);
      } else if (state.answers.size >= limits.maxUnanswered) {
        drop(socket, 'pipelined');
        return false;
      }
      const { answers } = state;
      answers.add(answer);
      answer.once('close', () => {
        answers.delete(answer);
        if (answers.size === 0) busy.delete(socket);
        else state.since = elapsed();
      });
      return true;
    },
    isBusy: (socket) => busy.has(socket),
    isAnswering(socket) {
      return [...(busy.get(socket)?.answers ?? [])].some(({ req, headersSent }) => req.complete || headersSent);
    },
    forget(socket) {
      busy.delete(socket);
    },
    sweep() {
      const now = elapsed();
      const held: { readonly socket: Socket; readonly state: Busy; readonly bytes: number }[] = [];
      unread = 0;
      for (const [socket, state] of busy) {
        noteTaken(socket, state, now);
        const bytes = bytesOf(socket, state);
        if (bytes === 0) continue;
        if (now - state.takenAt > limits.stalledMs) {
          drop(socket, 'stalled');
          continue;
        }
        if (now - state.since > limits.answerTimeoutMs) {
          drop(socket, 'slow');
          continue;
        }
        unread += bytes;
        held.push({ socket, state, bytes });
      }
      if (unread <= limits.maxUnreadBytes) return;
      shed(held.map(({ socket, state, bytes }) => ({ socket, bytes, network: networkFor(state) })));
    },
    get bytes() {
      return unread;
    },
  };
}

/**
 * Of the network that has most, its largest connection first, and so on with who has most then. A connection's
 * turn comes when its network has what it and the smaller ones of that network make together, so that two sorts will do.
 */
export function inOrderOfDropping(holdings: readonly Holding[]): readonly Holding[] {
  const held = new Map<string, number>();
  return [...holdings]
    .sort((a, b) => a.bytes - b.bytes)
    .map((holding) => {
      const turn = (held.get(holding.network) ?? 0) + holding.bytes;
      held.set(holding.network, turn);
      return { holding, turn };
    })
    .sort((a, b) => b.turn - a.turn)
    .map(({ holding }) => holding);
}

/** Those of the first answer wait in the socket, those behind it in the answers themselves. */
function bytesOf(socket: Socket, state: Busy): number {
  let bytes = socket.writableLength;
  for (const answer of state.answers) if (answer.socket === null) bytes += answer.writableLength;
  return bytes;
}

/** While nothing waits in the socket, there is nothing to be taken: an answer of ours that takes long is not the client's fault. */
function noteTaken(socket: Socket, state: Busy, now: number): void {
  const taken = takenOf(socket);
  if (socket.writableLength > 0 && taken === state.taken) return;
  state.taken = taken;
  state.takenAt = now;
}

/**
 * Bytes of a socket that the kernel has taken. Node's own inactivity timer will not do, as bytes that come in reset it;
 * nor will `bytesWritten - writableLength`, which stands still until a whole write is done, however many megabytes it has.
 */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: SocketHandle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

/** The part of a socket's handle that Node's inactivity timer looks at too. */
interface SocketHandle {
  readonly bytesWritten: number;
  /** Bytes of `bytesWritten` that the kernel has not taken yet. */
  readonly writeQueueSize: number;
}
