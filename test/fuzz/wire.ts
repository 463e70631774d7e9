import type { WireAnswer } from './answer-reader.ts';
import { type Connection, type ExchangeOptions, openConnection, WireFault } from './connection.ts';

/** Connections of many clients, kept alive as clients keep them. */
export interface Wire {
  /** Sends bytes from an address and resolves with the answer. @throws {WireFault} */
  send(address: string, bytes: Uint8Array, options: SendOptions): Promise<WireAnswer>;
  close(): void;
}

export interface SendOptions extends ExchangeOptions {
  /** On a socket of its own, which is closed afterwards: nobody knows in what state it is. */
  readonly alone: boolean;
}

/** Idle connections in all; the one used longest ago goes first. */
const MAX_IDLE = 300;

export function createWire(port: number): Wire {
  const idle = new Map<string, Connection[]>();
  let count = 0;

  function take(address: string): Connection | undefined {
    for (const list = idle.get(address) ?? []; list.length > 0; ) {
      const connection = list.pop()!;
      count -= 1;
      if (connection.open) return connection;
    }
    idle.delete(address);
    return undefined;
  }

  function keep(address: string, connection: Connection): void {
    const list = idle.get(address) ?? [];
    list.push(connection);
    // Set again, so that the address comes last in the map's order.
    idle.delete(address);
    idle.set(address, list);
    count += 1;
    if (count > MAX_IDLE) take(idle.keys().next().value ?? address)?.close();
  }

  async function sendOn(connection: Connection, address: string, bytes: Uint8Array, options: SendOptions) {
    const answer = await connection.exchange(bytes, options);
    const isClosed = answer.headers.get('connection')?.[0]?.toLowerCase() === 'close';
    if (options.alone || isClosed || !connection.open) connection.close();
    else keep(address, connection);
    return answer;
  }

  return {
    async send(address, bytes, options) {
      const kept = options.alone ? undefined : take(address);
      if (kept !== undefined) {
        try {
          return await sendOn(kept, address, bytes, options);
        } catch (error) {
          // Closed by the service while it lay idle: clients try once more, and so do we.
          if (!(error instanceof WireFault) || error.kind !== 'closed') throw error;
        }
      }
      return sendOn(await openConnection(port, address), address, bytes, options);
    },
    close() {
      for (const list of idle.values()) for (const connection of list) connection.close();
      idle.clear();
    },
  };
}
