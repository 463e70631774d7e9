import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SocketLimits } from './socket-limits.ts';

/** Why a connection was dropped for what it did not read. */
export type UnreadReason = 'stalled' | 'slow' | 'unread' | 'pipelined';

/** Answers that are under way, and what of them nobody has taken yet. */
export interface UnreadAnswers {
  /** False when the connection has so many answers under way that this request is not served. */
  begin(socket: Socket, answer: ServerResponse): boolean;
  /** Bytes that wait on a connection, and whether any answer of it is under way. */
  of(socket: Socket): { readonly bytes: number; readonly isBusy: boolean };
  /** Whether a request that has arrived whole waits for its answer's end, or an answer was begun: other bytes would be taken for it. */
  isAnswering(socket: Socket): boolean;
  /** The connection is closed. */
  forget(socket: Socket): void;
  /** Drops what takes too long, and while there is too much, the largest holders. */
  sweep(): void;
  /** As of the last sweep. */
  readonly bytes: number;
}

export interface UnreadAnswersOptions {
  readonly limits: SocketLimits;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Who asked: what is held by one is counted together. */
  readonly holderOf: (request: IncomingMessage) => string;
  readonly drop: (socket: Socket, reason: UnreadReason) => void;
}

interface Busy {
  readonly answers: Set<ServerResponse>;
  /** When the oldest of them was begun, or had its turn. */
  since: number;
}

/** What one connection holds. */
export interface Holding {
  readonly socket: Socket;
  readonly holder: string;
  readonly bytes: number;
}

/** Dropping goes on until so much of the bound is left, or every sweep would drop one more. */
const SHED_TO = 0.75;

export function createUnreadAnswers({ limits, elapsed, holderOf, drop }: UnreadAnswersOptions): UnreadAnswers {
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
  function holderFor({ answers: [oldest] }: Busy): string {
    return oldest === undefined ? '' : holderOf(oldest.req);
  }

  return {
    begin(socket, answer) {
      let state = busy.get(socket);
      if (state === undefined) {
        state = { answers: new Set(), since: elapsed() };
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
    of(socket) {
      const state = busy.get(socket);
      return { bytes: bytesOf(socket, state), isBusy: state !== undefined };
    },
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
        const bytes = bytesOf(socket, state);
        if (bytes === 0) continue;
        if (now - state.since > limits.answerTimeoutMs) {
          drop(socket, 'slow');
          continue;
        }
        unread += bytes;
        held.push({ socket, state, bytes });
      }
      if (unread <= limits.maxUnreadBytes) return;
      shed(held.map(({ socket, state, bytes }) => ({ socket, bytes, holder: holderFor(state) })));
    },
    get bytes() {
      return unread;
    },
  };
}

/**
 * Of the holder that has most, its largest connection first, and so on with who has most then. A connection's
 * turn comes when its holder has what it and the smaller ones of that holder make together, so that two sorts will do.
 */
export function inOrderOfDropping(holdings: readonly Holding[]): readonly Holding[] {
  const held = new Map<string, number>();
  return [...holdings]
    .sort((a, b) => a.bytes - b.bytes)
    .map((holding) => {
      const turn = (held.get(holding.holder) ?? 0) + holding.bytes;
      held.set(holding.holder, turn);
      return { holding, turn };
    })
    .sort((a, b) => b.turn - a.turn)
    .map(({ holding }) => holding);
}

/** Those of the first answer wait in the socket, those behind it in the answers themselves. */
function bytesOf(socket: Socket, state: Busy | undefined): number {
  let bytes = socket.writableLength;
  for (const answer of state?.answers ?? []) if (answer.socket === null) bytes += answer.writableLength;
  return bytes;
}
