import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { chainOf, createScriptedNode } from '../../test/support/scripted-node.ts';
import { createDreamClock, transportTo } from '../../test/support/scripted-transport.ts';
import { silentJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { createRpcClient } from './json-rpc.ts';
import { RpcAnswerTooLarge } from './rpc-errors.ts';
import { readRpcRange } from './rpc-range.ts';
import { createRpcTransport } from './rpc-transport.ts';

it('reads no answer without end: it hangs up', async () => {
  const chunk = Buffer.alloc(1024 ** 2, 'x');
  let sent = 0;
  const server = createServer((_, response) => {
    const send = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += 1;
    };
    response.on('drain', send);
    send();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const send = createRpcTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { signal } = new AbortController();
    const request = { method: 'getBlock', params: [1], timeoutMs: 300_000, now: 0, signal };
    await expect(send(request)).rejects.toThrow(RpcAnswerTooLarge);
    expect(sent).toBeLessThan(256);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('makes a hole of a block whose answer is too large, and asks other methods to no avail without an end', async () => {
  const node = createScriptedNode(chainOf(100, 101, 102, 103));
  const clock = createDreamClock();
  const transport = transportTo(node);
  let large = (_method: string, _slot: unknown) => false;
  const client = createRpcClient({
    url: 'http://127.0.0.1:1',
    clock,
    log: silentLogger,
    transport: async (request) => {
      if (large(request.method, request.params[0])) throw new RpcAnswerTooLarge(request.method, 7);
      return transport(request);
    },
  });
  const tell = async () => {
    const told: unknown[] = [];
    const tools = { client, clock, log: silentLogger, journal: silentJournal };
    for await (const step of readRpcRange(tools, { first: 100, last: 102 }, new AbortController().signal)) {
      told.push(step.kind === 'block' ? step.block.slot : [step.kind, step.first, step.last]);
    }
    return told;
  };
  large = (method, slot) => method === 'getBlock' && slot === 101;
  expect(await tell()).toEqual([100, ['unavailable', 101, 101], 102]);
  large = (method) => method === 'getFirstAvailableBlock';
  expect(await tell()).toEqual([100, 101, 102]);
  large = (method) => method === 'getBlocks';
  expect(await tell()).toEqual([['unavailable', 100, 102]]);
});
