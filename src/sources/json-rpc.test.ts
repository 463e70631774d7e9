import { afterEach, describe, expect, it } from 'vitest';
import { type RpcServer, startRpcServer } from '../../test/support/rpc-server.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { type Logger, silentLogger } from '../kernel/log.ts';
import { createRpcClient } from './json-rpc.ts';

const servers: RpcServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Does not wait, so that retries take no time. */
const hastyClock: Clock = { ...systemClock, sleep: async () => {} };

describe('a JSON-RPC client', () => {
  it('sends the credentials of its URL as a header, which is all that fetch allows', async () => {
    const server = await startRpcServer((_method, _params, { authorization }) => ({ result: authorization }));
    servers.push(server);
    const url = server.url.replace('http://', 'http://me:p%40ss@');
    const client = createRpcClient({ url, clock: systemClock, log: silentLogger });
    const sent = await client.call('getSlot', [], AbortSignal.timeout(5_000));
    expect(sent).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });

  it('says in the log why the node does not answer, and nothing of its URL', async () => {
    const server = await startRpcServer(() => ({ result: 1 }));
    await server.close();
    const stop = new AbortController();
    const lines: string[] = [];
    const log: Logger = {
      ...silentLogger,
      warn(fields, message) {
        lines.push(JSON.stringify({ ...fields, message }));
        if (lines.length === 3) stop.abort();
      },
    };
    const url = `${server.url.replace('http://', 'http://me:hunter2@')}/?api-key=hunter2`;
    const client = createRpcClient({ url, clock: hastyClock, log });
    await expect(client.call('getSlot', [], stop.signal)).rejects.toThrow();
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).toContain('ECONNREFUSED');
      expect(line).not.toContain('hunter2');
    }
  });
});
