import { setMaxListeners } from 'node:events';
import type { Clock } from '../kernel/clock.ts';
import type { CallLimit, CallOutcome, CallTicket } from './call-limit.ts';
import { RpcLineFull } from './rpc-errors.ts';

/** A gate at which callers wait until the node has room for them, with one pause for all. */
export interface CallGate {
  readonly waiting: number;
  /**
   * Resolves when the call may start.
   * @throws {RpcLineFull} when too many wait already; the signal's reason when it aborts.
   */
  enter(signal: AbortSignal, turn: Turn): Promise<CallTicket>;
  /** Gives the pause that the outcome means for everybody, in milliseconds. */
  leave(ticket: CallTicket, outcome: CallOutcome): number;
}

/** Rank of a caller at the gate. */
export interface Turn {
  /** Waits behind all that are not. */
  readonly patient: boolean;
  /** Was refused, and goes before those of its kind that never had a turn. */
  readonly again: boolean;
}

export interface CallGateOptions {
  readonly limit: CallLimit;
  readonly clock: Clock;
  readonly maxWaiting: number;
}

interface Waiter {
  readonly admit: (ticket: CallTicket) => void;
}

export function createCallGate({ limit, clock, maxWaiting }: CallGateOptions): CallGate {
  const usual: Waiter[] = [];
  const patient: Waiter[] = [];
  const waiting = () => usual.length + patient.length;
  /** By the clock's elapsed time. */
  let pausedUntil = 0;
  let sleeping: AbortController | undefined;

  function admitNext(): void {
    if (sleeping !== undefined) return;
    while (waiting() > 0 && limit.open) {
      const pauseMs = pausedUntil - clock.elapsed();
      if (pauseMs > 0) {
        void waitOut(pauseMs);
        return;
      }
      (usual.shift() ?? patient.shift())!.admit(limit.start());
    }
  }

  /** Runs only while somebody waits, so that a pause keeps no process alive. */
  async function waitOut(pauseMs: number): Promise<void> {
    const until = pausedUntil;
    const slept = new AbortController();
    sleeping = slept;
    await clock.sleep(pauseMs, slept.signal);
    sleeping = undefined;
    // Slept is slept, also where timers and the clock differ by a hair; unless it was made longer meanwhile.
    if (!slept.signal.aborted && pausedUntil === until) pausedUntil = 0;
    admitNext();
  }

  return {
    get waiting() {
      return waiting();
    },
    enter(signal, turn) {
      const line = turn.patient ? patient : usual;
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        if (!turn.again && waiting() >= maxWaiting) {
          reject(new RpcLineFull(`${waiting()} calls wait for the node already`));
          return;
        }
        const waiter: Waiter = {
          admit(ticket) {
            signal.removeEventListener('abort', giveUp);
            resolve(ticket);
          },
        };
        const giveUp = () => {
          line.splice(line.indexOf(waiter), 1);
          if (waiting() === 0) sleeping?.abort();
          reject(signal.reason);
        };
        // Many callers share a signal, and the line is what bounds them.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', giveUp, { once: true });
        if (turn.again) line.unshift(waiter);
        else line.push(waiter);
        admitNext();
      });
    },
    leave(ticket, outcome) {
      const pauseMs = limit.end(ticket, outcome);
      if (pauseMs > 0) pausedUntil = Math.max(pausedUntil, clock.elapsed() + pauseMs);
      admitNext();
      return pauseMs;
    },
  };
}
