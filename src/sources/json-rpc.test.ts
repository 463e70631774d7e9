import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type RpcReply, type RpcServer, startRpcServer } from '../../test/support/rpc-server.ts';
import { clientOf, createDreamClock } from '../../test/support/scripted-transport.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { createDescriptors } from '../kernel/descriptors.ts';
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
    const sent = await client.call('getSlot', [], new AbortController().signal);
    expect(sent).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });

  it('asks again however often there is no descriptor for the call, and says so: the node refused nothing', async () => {
    const descriptors = createDescriptors({ clock: hastyClock, log: silentLogger });
    let isDown = true;
    const shortage = () => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'EMFILE' }) });
    let refusals = 2_000;
    const client = createRpcClient({
      url: 'http://node.invalid',
      clock: hastyClock,
      log: silentLogger,
      descriptors,
      transport: async () => {
        if (refusals-- > 0) throw shortage();
        if (isDown) {
          isDown = false;
          throw new TypeError('fetch failed');
        }
        return { result: 7, bytes: 1 };
      },
    });
    expect(await client.call('getSlot', [], new AbortController().signal)).toBe(7);
    expect(descriptors.short).toBe(true);
    // The one real fault behind them counts, and as the first.
    expect(client.figures()).toMatchObject({ faltered: 1 });
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

  it.each<[string, RpcReply]>([
    ['the status', { status: 429, headers: { 'retry-after': '2' } }],
    ['a code of HTTP', { error: { code: 429, message: 'Too many requests for a specific RPC call' } }],
    ['a code of its own', { error: { code: -32_429, message: 'slow down' } }],
    // A provider's limiter uses the code that nodes have for a skipped slot.
    ['words behind another code', { error: { code: -32_007, message: '50/second request limit reached' } }],
  ])('knows a refusal for the rate by %s', async (_how, refusal) => {
    const replies: RpcReply[] = [refusal, refusal];
    const server = await startRpcServer(() => replies.shift() ?? { result: 7 });
    servers.push(server);
    const client = createRpcClient({ url: server.url, clock: createDreamClock(), log: silentLogger });
    expect(await client.call('getBlock', [1], new AbortController().signal)).toBe(7);
    expect(client.figures()).toMatchObject({ throttled: 2, faltered: 0, inFlight: 0, waiting: 0 });
  });

  it('does not take a vague answer for the last word because the node was away or behind before', async () => {
    const vague: RpcReply = { error: { code: -32_603, message: 'Internal error' } };
    const before: RpcReply[] = [
      ...Array.from({ length: 5 }, (): RpcReply => ({ status: 429 })),
      ...Array.from({ length: 5 }, (): RpcReply => ({ status: 503 })),
      ...Array.from({ length: 5 }, (): RpcReply => ({ error: { code: -32_004, message: 'Block not available' } })),
    ];
    const replies = [...before, vague, vague, vague, vague];
    const server = await startRpcServer(() => replies.shift() ?? { result: 7 });
    servers.push(server);
    const client = createRpcClient({ url: server.url, clock: createDreamClock(), log: silentLogger });
    expect(await client.call('getBlock', [1], new AbortController().signal)).toBe(7);
    // Five of one kind in one call are: whatever was between them.
    replies.push(vague, ...before, vague, vague, vague, vague);
    await expect(client.call('getBlock', [1], new AbortController().signal)).rejects.toThrow(/Internal error/);
    expect(replies).toEqual([]);
  });

  it('believes the status before the words of the body', async () => {
    let calls = 0;
    const server = createServer((_request, response) => {
      calls += 1;
      const body = calls === 1 ? { error: { code: -32_007, message: 'Slot 1 was skipped' } } : { result: 7 };
      response.writeHead(calls === 1 ? 429 : 200).end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createRpcClient({ url, clock: createDreamClock(), log: silentLogger });
    expect(await client.call('getBlock', [1], new AbortController().signal)).toBe(7);
    server.closeAllConnections();
    server.close();
  });

  it('gives up on an answer that does not come, and asks again', async () => {
    let calls = 0;
    const server = await startRpcServer(() => {
      calls += 1;
      return calls === 1 ? new Promise<RpcReply>(() => {}) : { result: 7 };
    });
    servers.push(server);
    const client = createRpcClient({ url: server.url, clock: createDreamClock(), log: silentLogger, timeoutMs: 1_000 });
    expect(await client.call('getSlot', [], new AbortController().signal)).toBe(7);
    expect(client.figures()).toMatchObject({ throttled: 0, faltered: 1, inFlight: 0 });
  });

  it('says how many bytes an answer had', async () => {
    const server = await startRpcServer(() => ({ result: 'x'.repeat(5_000) }));
    servers.push(server);
    const client = createRpcClient({ url: server.url, clock: systemClock, log: silentLogger });
    let bytes = 0;
    await client.call('getBlock', [1], new AbortController().signal, (weight) => {
      bytes = weight;
    });
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(5_100);
  });

  it('lets calls that have time go last', async () => {
    const order: unknown[] = [];
    const reply = (_method: string, [name]: readonly unknown[]): RpcReply => {
      order.push(name);
      return { result: name };
    };
    const client = clientOf({ reply }, createDreamClock());
    const signal = new AbortController().signal;
    const patient = Array.from({ length: 8 }, (_, place) => client.patient().call('getBlock', [place], signal));
    await Promise.all([...patient, client.call('getBlock', ['now'], signal)]);
    // Four were under way already.
    expect(order).toEqual([0, 1, 2, 3, 'now', 4, 5, 6, 7]);
    expect(client.patient().figures()).toEqual(client.figures());
  });

  it('does not repeat what a person has to mend, and says what that is', async () => {
    let calls = 0;
    const client = clientOf(
      {
        reply() {
          calls += 1;
          return { status: 403 };
        },
      },
      createDreamClock(),
    );
    await expect(client.call('getSlot', [], new AbortController().signal)).rejects.toThrow(/refuses this key/);
    expect(calls).toBe(1);
  });
});

describe('a JSON-RPC client of a node with a rate limit', () => {
  /** Allows so many calls a second, and says nothing of how long to wait. */
  function createLimitedNode(clock: Clock, perSecond: number) {
    const started = clock.elapsed();
    const seen = { calls: 0, refused: 0 };
    let second = 0;
    let used = 0;
    const reply = (): RpcReply => {
      seen.calls += 1;
      const now = Math.floor((clock.elapsed() - started) / 1_000);
      if (now !== second) used = 0;
      second = now;
      used += 1;
      if (used <= perSecond) return { result: 1 };
      seen.refused += 1;
      return { status: 429 };
    };
    return { seen, reply };
  }

  it('gets everything in the end and is no storm: most calls are answered, whatever the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 20, max: 200 }),
        async (perSecond, wanted) => {
          const clock = createDreamClock();
          const node = createLimitedNode(clock, perSecond);
          const client = clientOf(node, clock);
          const signal = new AbortController().signal;
          await Promise.all(Array.from({ length: wanted }, () => client.call('getBlock', [1], signal)));
          expect(node.seen.calls - node.seen.refused).toBe(wanted);
          // The burst while the limit is learned; then no more refusals than a node answers and one to ask for all.
          expect(node.seen.refused).toBeLessThanOrEqual(32 + 2 * wanted);
          expect(client.figures()).toMatchObject({ inFlight: 0, waiting: 0, throttled: node.seen.refused });
        },
      ),
      { numRuns: 60 },
    );
  });
});
