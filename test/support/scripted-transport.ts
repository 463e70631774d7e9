import type { Clock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createRpcClient, type RpcClient } from '../../src/sources/json-rpc.ts';
import { retryAfterMs } from '../../src/sources/retry-after.ts';
import { RpcError, RpcHttpError, RpcThrottled } from '../../src/sources/rpc-errors.ts';
import type { RpcTransport } from '../../src/sources/rpc-transport.ts';
import type { ScriptedNode } from './scripted-node.ts';

/** A clock that goes on only by sleeping: waits take no time, and tell how long they would have been. */
export function createDreamClock(): Clock & { readonly slept: number[] } {
  let now = 1_790_000_000_000;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    elapsed: () => now,
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      slept.push(ms);
      now += ms;
      // Lets everybody else go on first, as a real wait does.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A scripted node without the network between. */
export function transportTo(node: Pick<ScriptedNode, 'reply'>): RpcTransport {
  return async ({ method, params, now, signal }) => {
    const reply = await node.reply(method, params);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    if ('result' in reply) return { result: reply.result, bytes: 1_000 };
    if ('error' in reply) throw new RpcError(method, reply.error.code, reply.error.message);
    const wait = retryAfterMs(new Headers(reply.headers), now);
    if (reply.status === 429) throw new RpcThrottled(method, 'HTTP status 429', wait);
    throw new RpcHttpError(method, reply.status, wait);
  };
}

export function clientOf(node: Pick<ScriptedNode, 'reply'>, clock: Clock): RpcClient {
  const transport = transportTo(node);
  return createRpcClient({ url: 'http://127.0.0.1:1', clock, log: silentLogger, random: () => 0.5, transport });
}
