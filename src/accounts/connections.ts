import { randomUUID } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';
import type { KeyPrincipal } from '../handlers/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { AccountChange, EverythingChanged } from './account-change.ts';
import type { AccountChanges } from './changes.ts';
import { CLOSE_CODES, type ConnectionRight, type Verdict } from './connection-rights.ts';
import type { ConnectionResource } from './contract-shapes.ts';
import type { Plans } from './plans.ts';

/** A request for a connection. */
export interface ConnectionRequest {
  readonly principal: KeyPrincipal;
  /** SHA-256 of the key that was sent: its principal may get another. */
  readonly keyHash: Uint8Array;
  /** The client's address in its one normal text. */
  readonly address: string;
  readonly stream: ConnectionRight['stream'];
  /** Returns the topics that it listens to at the moment. */
  readonly topics: () => readonly string[];
  /** Ends it with a code; it says so with {@link OpenConnection.closed} in turn. */
  readonly close: (code: number) => void;
}

export interface OpenConnection {
  readonly id: string;
  /** The connection has ended, however: its place is free. */
  closed(): void;
}

/** Connections that this process holds open. Several processes count, list and close each their own. */
export interface Connections {
  /**
   * Takes a place.
   * @throws {ApiError} ws_connection_limit over twice the streams of the account's plan; too_many_connections over {@link MAX_PER_ADDRESS} from one address
   */
  open(request: ConnectionRequest): OpenConnection;
  /** Of an account, oldest first. */
  list(accountId: number): readonly ConnectionResource[];
  /** Closes one at its owner's wish; false when the account has none of this id. */
  close(accountId: number, id: string): boolean;
}

export interface OpenConnections extends Connections {
  /** Stops listening; connections stay as they are. */
  stop(): Promise<void>;
}

export interface ConnectionsDeps {
  readonly plans: Pick<Plans, 'get'>;
  readonly changes: AccountChanges;
  /** Judges connections of one account by what is stored. Rejects when that cannot be read. */
  readonly judge: (accountId: number, rights: readonly ConnectionRight[]) => Promise<readonly Verdict[]>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Connections from one address. */
export const MAX_PER_ADDRESS = 20;
/** Before connections are judged again, when what is stored could not be read. */
const RETRY_MS = 250;

interface Connection extends ConnectionRequest {
  readonly id: string;
  readonly openedAt: number;
}

export function createConnections({ plans, changes, judge, clock, log }: ConnectionsDeps): OpenConnections {
  const byAccount = new Map<number, Map<string, Connection>>();
  const perAddress = new Map<string, number>();
  /** Accounts whose connections are to be judged. */
  const doubted = new Set<number>();
  const stopping = new AbortController();
  let judging: Promise<void> | undefined;
  let failing = false;

  function doubt(accountId: number): void {
    if (!byAccount.has(accountId)) return;
    doubted.add(accountId);
    judging ??= judgeAll().finally(() => {
      judging = undefined;
    });
  }

  async function judgeAll(): Promise<void> {
    for (let accountId = first(doubted); accountId !== undefined; accountId = first(doubted)) {
      if (stopping.signal.aborted) return;
      // Before it is read: what changes meanwhile is judged once more.
      doubted.delete(accountId);
      const connections = [...(byAccount.get(accountId)?.values() ?? [])];
      // All have ended since: there is nothing to ask, and Postgres knows no empty list.
      if (connections.length === 0) continue;
      try {
        const verdicts = await judge(accountId, connections.map(rightOf));
        failing = false;
        for (const [index, connection] of connections.entries()) end(connection, verdicts[index]);
      } catch (error) {
        if (!failing)
          log.warn({ err: String(error) }, 'whether connections may stay open cannot be read; it is tried again');
        failing = true;
        doubted.add(accountId);
        await clock.sleep(RETRY_MS, stopping.signal);
      }
    }
  }

  function end(connection: Connection, verdict: Verdict): void {
    if (verdict !== undefined && isOpen(connection)) connection.close(CLOSE_CODES[verdict]);
  }

  function isOpen({ principal, id }: Connection): boolean {
    return byAccount.get(principal.accountId)?.has(id) === true;
  }

  function obey(change: AccountChange | EverythingChanged): void {
    if (change.kind === 'session') return;
    if (change.kind !== 'everything') doubt(change.accountId);
    else for (const accountId of byAccount.keys()) doubt(accountId);
  }

  function release({ principal, id, address }: Connection): void {
    const ofAccount = byAccount.get(principal.accountId);
    if (ofAccount?.delete(id) !== true) return;
    if (ofAccount.size === 0) byAccount.delete(principal.accountId);
    const left = (perAddress.get(address) ?? 0) - 1;
    if (left > 0) perAddress.set(address, left);
    else perAddress.delete(address);
  }

  const stopListening = changes.listen(obey);
  return {
    open(request) {
      const { principal, address } = request;
      const ofAccount = byAccount.get(principal.accountId) ?? new Map<string, Connection>();
      const limit = 2 * plans.get(principal.plan).streams;
      if (ofAccount.size >= limit) {
        throw new ApiError('ws_connection_limit', { details: { limit, used: ofAccount.size } });
      }
      const fromAddress = perAddress.get(address) ?? 0;
      if (fromAddress >= MAX_PER_ADDRESS) {
        throw new ApiError('too_many_connections', { details: { limit: MAX_PER_ADDRESS, used: fromAddress } });
      }
      const connection: Connection = { ...request, id: randomUUID(), openedAt: clock.now() };
      byAccount.set(principal.accountId, ofAccount.set(connection.id, connection));
      perAddress.set(address, fromAddress + 1);
      // Something may have changed since its key was looked up.
      doubt(principal.accountId);
      return { id: connection.id, closed: () => release(connection) };
    },
    list: (accountId) => [...(byAccount.get(accountId)?.values() ?? [])].map(toResource),
    close(accountId, id) {
      const connection = byAccount.get(accountId)?.get(id);
      connection?.close(CLOSE_CODES.closedByOwner);
      return connection !== undefined;
    },
    async stop() {
      stopListening();
      stopping.abort();
      await judging;
    },
  };
}

function first(ids: ReadonlySet<number>): number | undefined {
  for (const id of ids) return id;
  return undefined;
}

function rightOf({ principal, keyHash, stream }: Connection): ConnectionRight {
  return { keyId: principal.id, keyHash, stream };
}

function toResource({ id, address, openedAt, topics, principal, stream }: Connection): ConnectionResource {
  return {
    id,
    ip: address,
    opened_at: new Date(openedAt).toISOString(),
    topics: [...topics()],
    key_id: principal.id,
    ...(stream === undefined ? {} : { stream_id: stream.id }),
  };
}
