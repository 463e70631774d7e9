import type { ClickHouseSettings } from '@clickhouse/client';
import type { StoreClient } from '../clickhouse/client.ts';
import { LAST_LEVEL } from './account-line.ts';
import { ReadFault } from './read-fault.ts';
import type { ReadGate, Seat } from './read-gate.ts';
import { readerNow } from './reader.ts';

/** Milliseconds that the server gets to say itself that the time is up, before we hang up on it. */
const GRACE_MS = 1_000;
/** The server notices within about so long that we have hung up on it; until then the seat is not given on. */
const NOTICED_MS = 200;

const gates = new WeakMap<StoreClient, ReadGate>();

/** The same store through a gate: what `store/query.ts` asks of it waits for its turn. */
export function gateReads(client: StoreClient, gate: ReadGate): StoreClient {
  const gated = Object.create(client) as StoreClient;
  gates.set(gated, gate);
  return gated;
}

/** Within what a read of the store has to keep. */
export interface ReadBounds {
  /** Aborts when the time is up, or when nobody waits any more. */
  readonly signal: AbortSignal;
  readonly settings: ClickHouseSettings;
}

/**
 * Runs one read for whoever reads now. It waits for its turn where the client has a gate, and from then on
 * has so many seconds; the store is hung up on when they are over, or when nobody waits any more.
 * Rejects with a ReadFault then.
 */
export async function runRead<T>(
  client: StoreClient,
  seconds: number,
  read: (bounds: ReadBounds) => Promise<T>,
): Promise<T> {
  const reader = readerNow();
  const gate = gates.get(client);
  const seat = await gate?.enter(reader);
  // Whoever left just as its turn came: nothing was sent, so nothing has to be noticed.
  if (reader.left !== undefined) {
    seat?.leave();
    throw reader.left;
  }
  const hangUp = new AbortController();
  let fault: Error | undefined;
  const giveUp = (reason: Error) => {
    fault ??= reason;
    hangUp.abort(reason);
  };
  const late = () => giveUp(new ReadFault('timed_out', `the store did not answer within ${seconds} s`));
  const timer = setTimeout(late, seconds * 1_000 + GRACE_MS);
  const forget = reader.onLeave(giveUp);
  try {
    return await read({ signal: hangUp.signal, settings: settingsOf(seat) });
  } catch (error) {
    throw fault ?? error;
  } finally {
    clearTimeout(timer);
    forget();
    if (fault === undefined) seat?.leave();
    else if (seat !== undefined) {
      gate?.noteAbandoned();
      setTimeout(seat.leave, NOTICED_MS);
    }
  }
}

/**
 * In the store, a read of a higher level pauses while there is one of a lower level. Whoever has taken the most
 * has one thread, so that it leaves a processor to others who come while it reads.
 */
function settingsOf(seat: Seat | undefined): ClickHouseSettings {
  if (seat === undefined) return {};
  const { level, crowded } = seat;
  return { priority: String(level), ...(crowded && level === LAST_LEVEL ? { max_threads: 1 } : {}) };
}
