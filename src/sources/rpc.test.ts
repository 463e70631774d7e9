import { afterEach, describe, expect, it } from 'vitest';
import { type RpcReply, type RpcServer, startRpcServer } from '../../test/support/rpc-server.ts';
import { type ChainBlock, chainOf, createScriptedNode, type ScriptedNode } from '../../test/support/scripted-node.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { failingJournal } from '../kernel/journal.ts';
import { type Logger, silentLogger } from '../kernel/log.ts';
import { createRpcSource, type RpcSource } from './rpc.ts';
import { confirmedBlocks } from './source.ts';

const servers: RpcServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function startNode(blocks: readonly ChainBlock[]): Promise<{ node: ScriptedNode; url: string }> {
  const node = createScriptedNode(blocks);
  const server = await startRpcServer(node.reply);
  servers.push(server);
  return { node, url: server.url };
}

function sourceOf(url: string, { clock = quick(), log = silentLogger, maxLagSlots }: SourceChoices = {}): RpcSource {
  return createRpcSource({ url, maxLagSlots, clock, log, journal: failingJournal });
}

interface SourceChoices {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly maxLagSlots?: number;
}

async function takeFrom(source: RpcSource, enough: number, fromSlot: number | undefined): Promise<number[]> {
  const controller = new AbortController();
  const slots: number[] = [];
  for await (const block of confirmedBlocks(source, { fromSlot, signal: controller.signal })) {
    slots.push(block.slot);
    if (slots.length >= enough) controller.abort();
  }
  return slots;
}

function take(url: string, enough: number, fromSlot: number | undefined, clock = quick()): Promise<number[]> {
  return takeFrom(sourceOf(url, { clock }), enough, fromSlot);
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
    // Less what the clock went on between the answer and the wait.
    expect(Math.max(...slept)).toBeGreaterThan(2_000);
  });

  it('finds blocks that a lagging node left out of its list by the parent links', async () => {
    const { node, url } = await startNode(chainOf(100, 101, 102, 103, 104));
    node.quirk = (method) => (method === 'getBlocks' ? { result: [100, 104] } : undefined);
    expect(await take(url, 5, 100)).toEqual([100, 101, 102, 103, 104]);
  });

  it('goes on at the first block that the node still has, and says what it lacks', async () => {
    const { node, url } = await startNode(chainOf(100, 500, 501));
    node.oldest = 500;
    const source = sourceOf(url);
    expect(await takeFrom(source, 2, 101)).toEqual([500, 501]);
    expect(source.lacks()).toEqual({ unavailable: 399, passed: 0 });
  });

  it('goes on behind a block that nobody gives, and counts it', async () => {
    const { node, url } = await startNode(chainOf(100, 101, 102, 103));
    node.quirk = (method, [slot]) =>
      method === 'getBlock' && slot === 101 ? { error: { code: -32_007, message: 'Slot was skipped' } } : undefined;
    const source = sourceOf(url);
    expect(await takeFrom(source, 3, 100)).toEqual([100, 102, 103]);
    expect(source.lacks()).toEqual({ unavailable: 1, passed: 0 });
  });

  it('goes past a stretch of skipped slots that is longer than what it asks for at once', async () => {
    const { url } = await startNode(chainOf(100, 101, 900, 901));
    expect(await take(url, 4, 100)).toEqual([100, 101, 900, 901]);
  });

  it('passes slots over when it is told how far behind it may fall, and says which', async () => {
    const { node, url } = await startNode(chainOf(...Array.from({ length: 401 }, (_, place) => 100 + place)));
    node.head = 130;
    // The chain runs away from a node that gives a block for every ten slots.
    node.quirk = (method) => {
      if (method === 'getBlock') node.head = Math.min(500, node.head + 10);
      return undefined;
    };
    const warnings: object[] = [];
    const log: Logger = { ...silentLogger, warn: (fields) => warnings.push(fields) };
    const source = sourceOf(url, { maxLagSlots: 40, log });
    const slots = await takeFrom(source, 25, 100);
    const holes = slots.slice(1).map((slot, place) => slot - slots[place]! - 1);
    const passed = holes.reduce((sum, slotsOfHole) => sum + slotsOfHole, 0);
    expect(source.lacks()).toEqual({ passed, unavailable: 0 });
    expect(warnings).toHaveLength(holes.filter((slotsOfHole) => slotsOfHole > 0).length);
    expect(warnings.length).toBeGreaterThan(1);
    expect(warnings[0]).toEqual({ from_slot: 110, to_slot: 229, slots: 120, passed_slots: 120 });
  });

  it('keeps everything, however far behind, when it is not told', async () => {
    const slots = Array.from({ length: 401 }, (_, place) => 100 + place);
    const { url } = await startNode(chainOf(...slots));
    expect(await take(url, 401, 100)).toEqual(slots);
  });

  it('asks again when one of many nodes behind an address has less history than the others', async () => {
    const { node, url } = await startNode(chainOf(100, 101));
    let refusals = 2;
    node.quirk = (method) => {
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
    const controller = new AbortController();
    const server = await startRpcServer(() => {
      controller.abort();
      return new Promise<RpcReply>(() => {});
    });
    servers.push(server);
    const source = createRpcSource({ url: server.url, clock: systemClock, log: silentLogger, journal: failingJournal });
    const slots: number[] = [];
    for await (const { slot } of confirmedBlocks(source, { fromSlot: 1, signal: controller.signal })) slots.push(slot);
    expect(slots).toEqual([]);
  });
});
