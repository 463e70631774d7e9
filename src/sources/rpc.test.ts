import { afterEach, describe, expect, it } from 'vitest';
import { type RpcReply, type RpcServer, startRpcServer } from '../../test/support/rpc-server.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { failingJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { createRpcSource } from './rpc.ts';
import { confirmedBlocks } from './source.ts';

interface FakeBlock {
  readonly slot: number;
  readonly parentSlot: number;
}

/** A node with a chain; `quirk` may answer first. */
interface FakeNode {
  head: number;
  readonly blocks: readonly FakeBlock[];
  readonly calls: { readonly method: string; readonly params: readonly unknown[] }[];
  quirk: (method: string, params: readonly unknown[]) => RpcReply | undefined;
}

const servers: RpcServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function chainOf(...slots: number[]): FakeBlock[] {
  return slots.map((slot, place) => ({ slot, parentSlot: slots[place - 1] ?? slot - 1 }));
}

async function startNode(blocks: readonly FakeBlock[]): Promise<{ node: FakeNode; url: string }> {
  const node: FakeNode = { head: blocks.at(-1)!.slot, blocks, calls: [], quirk: () => undefined };
  const server = await startRpcServer((method, params) => {
    node.calls.push({ method, params });
    return node.quirk(method, params) ?? answer(node, method, params);
  });
  servers.push(server);
  return { node, url: server.url };
}

function answer(node: FakeNode, method: string, params: readonly unknown[]): RpcReply {
  if (method === 'getSlot') return { result: node.head };
  const known = node.blocks.filter(({ slot }) => slot <= node.head);
  if (method === 'getBlocks') {
    const [from, to] = params as [number, number];
    return { result: known.map(({ slot }) => slot).filter((slot) => slot >= from && slot <= to) };
  }
  const block = known.find(({ slot }) => slot === params[0]);
  if (block === undefined) return { error: { code: -32_007, message: 'Slot was skipped' } };
  return {
    result: {
      blockhash: `hash${block.slot}`,
      parentSlot: block.parentSlot,
      blockTime: 1_790_000_000,
      transactions: [],
    },
  };
}

async function take(
  url: string,
  enough: number,
  fromSlot: number | undefined,
  clock: Clock = quick(),
): Promise<number[]> {
  const controller = new AbortController();
  const source = createRpcSource({ url, clock, log: silentLogger, journal: failingJournal });
  const slots: number[] = [];
  for await (const block of confirmedBlocks(source, { fromSlot, signal: controller.signal })) {
    slots.push(block.slot);
    if (slots.length >= enough) controller.abort();
  }
  return slots;
}

/** Sleeps next to nothing, and tells how long it was asked to. */
function quick(slept: number[] = []): Clock {
  return {
    ...systemClock,
    sleep: (ms) => {
      slept.push(ms);
      return systemClock.sleep(1);
    },
  };
}

describe('the RPC source', () => {
  it('gives every block in slot order and passes skipped slots by', async () => {
    const { node, url } = await startNode(chainOf(100, 101, 104, 105, 110));
    expect(await take(url, 5, 100)).toEqual([100, 101, 104, 105, 110]);
    const { params } = node.calls.find(({ method }) => method === 'getBlock')!;
    expect(params).toEqual([
      100,
      {
        commitment: 'confirmed',
        encoding: 'base64',
        transactionDetails: 'full',
        maxSupportedTransactionVersion: 1,
        rewards: false,
      },
    ]);
  });

  it('starts at the newest slot when it has no place to start from, and follows the head', async () => {
    const { node, url } = await startNode(chainOf(100, 101, 102, 103));
    node.head = 101;
    node.quirk = (method) => {
      if (method === 'getSlot' && node.calls.length > 6) node.head = 103;
      return undefined;
    };
    expect(await take(url, 3, undefined)).toEqual([101, 102, 103]);
  });

  it('asks for several blocks at once, but not for many', async () => {
    const slots = Array.from({ length: 30 }, (_, place) => 200 + place);
    let open = 0;
    let most = 0;
    const { node } = await startNode(chainOf(...slots));
    const server = await startRpcServer(async (method, params) => {
      open += 1;
      most = Math.max(most, open);
      await systemClock.sleep(2);
      open -= 1;
      return answer(node, method, params);
    });
    servers.push(server);
    expect(await take(server.url, 30, 200)).toEqual(slots);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('waits as long as a busy node asks, and asks again what is not there yet', async () => {
    const { node, url } = await startNode(chainOf(100, 101));
    const replies: RpcReply[] = [
      { status: 429, headers: { 'retry-after': '3' } },
      { status: 503 },
      { error: { code: -32_004, message: 'Block not available' } },
      { error: { code: -32_014, message: 'Block status not yet available' } },
      { error: { code: -32_016, message: 'Minimum context slot has not been reached' } },
    ];
    node.quirk = (method) => (method === 'getBlock' ? replies.shift() : undefined);
    const slept: number[] = [];
    expect(await take(url, 2, 100, quick(slept))).toEqual([100, 101]);
    expect(replies).toEqual([]);
    expect(slept).toContain(3_000);
  });

  it('finds blocks that a lagging node left out of its list by the parent links', async () => {
    const { node, url } = await startNode(chainOf(100, 101, 102, 103, 104));
    node.quirk = (method) => (method === 'getBlocks' ? { result: [100, 104] } : undefined);
    expect(await take(url, 5, 100)).toEqual([100, 101, 102, 103, 104]);
  });

  it('goes on at the first block that the node still has', async () => {
    const { node, url } = await startNode(chainOf(100, 500, 501));
    node.quirk = (method, [from]) => {
      if (method === 'getFirstAvailableBlock') return { result: 500 };
      if (method === 'getBlocks' && Number(from) < 500)
        return { error: { code: -32_001, message: 'Block cleaned up' } };
      return undefined;
    };
    expect(await take(url, 2, 101)).toEqual([500, 501]);
  });

  it('asks again when one of many nodes behind an address has less history than the others', async () => {
    const { node, url } = await startNode(chainOf(100, 101));
    let refusals = 2;
    node.quirk = (method) => {
      if (method === 'getFirstAvailableBlock') return { result: 50 };
      if (method !== 'getBlock' || refusals === 0) return undefined;
      refusals -= 1;
      return { error: { code: -32_001, message: 'Block cleaned up' } };
    };
    expect(await take(url, 2, 100)).toEqual([100, 101]);
  });

  it('throws what asking again will not change', async () => {
    const { node, url } = await startNode(chainOf(100));
    node.quirk = (method) =>
      method === 'getBlock' ? { error: { code: -32_015, message: 'Transaction version is not supported' } } : undefined;
    await expect(take(url, 1, 100)).rejects.toMatchObject({ name: 'RpcError', code: -32_015 });
    node.quirk = () => ({ status: 401 });
    await expect(take(url, 1, 100)).rejects.toMatchObject({ name: 'RpcHttpError', status: 401 });
  });

  it('ends quietly on abort, also in the middle of a call', async () => {
    const server = await startRpcServer(() => new Promise<RpcReply>(() => {}));
    servers.push(server);
    const controller = new AbortController();
    const source = createRpcSource({ url: server.url, clock: systemClock, log: silentLogger, journal: failingJournal });
    setTimeout(() => controller.abort(), 20);
    const slots: number[] = [];
    for await (const { slot } of confirmedBlocks(source, { fromSlot: 1, signal: controller.signal })) slots.push(slot);
    expect(slots).toEqual([]);
  });
});
