import { describe, expect, it } from 'vitest';
import type { RpcReply } from '../../test/support/rpc-server.ts';
import { chainOf, createScriptedNode, type ScriptedNode } from '../../test/support/scripted-node.ts';
import { clientOf, createDreamClock } from '../../test/support/scripted-transport.ts';
import { failingJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { createRpcSource, type RpcSource } from './rpc.ts';
import { confirmedBlocks } from './source.ts';

const NEVER: RpcReply = { error: { code: -32_015, message: 'Transaction version (1) is not supported' } };
const REFUSALS: readonly RpcReply[] = [...[400, 401, 402, 403, 404].map((status) => ({ status })), NEVER];

function sourceOf(node: ScriptedNode): RpcSource {
  const clock = createDreamClock();
  const rpc = clientOf(node, clock);
  return createRpcSource({ url: '', rpc, clock, log: silentLogger, journal: failingJournal, random: () => 0.5 });
}

async function take(source: RpcSource, enough: number, seen: (slot: number) => void = () => {}): Promise<number[]> {
  const controller = new AbortController();
  const slots: number[] = [];
  for await (const { slot } of confirmedBlocks(source, { fromSlot: 100, signal: controller.signal })) {
    slots.push(slot);
    seen(slot);
    if (slots.length >= enough) controller.abort();
  }
  return slots;
}

describe('a node that refuses', () => {
  it.each(REFUSALS)('from the first call on ends the source: %j', async (reply) => {
    const node = createScriptedNode(chainOf(100, 101));
    node.quirk = (method) => (method === 'getBlock' ? reply : undefined);
    await expect(take(sourceOf(node), 1)).rejects.toThrow(/HTTP status|version 1/);
  });

  it.each(REFUSALS)('after a first good call is ridden out, and told while it lasts: %j', async (reply) => {
    const node = createScriptedNode(chainOf(100, 101, 102, 103, 104));
    node.head = 101;
    const source = sourceOf(node);
    const told = new Set<string | undefined>();
    let refusals = 0;
    const slots = await take(source, 5, (slot) => {
      if (slot !== 101) return;
      node.head = 104;
      node.quirk = () => {
        told.add(source.refusal());
        refusals += 1;
        return refusals <= 100 ? reply : undefined;
      };
    });
    expect(slots).toEqual([100, 101, 102, 103, 104]);
    expect([...told].join()).toMatch(/refuses now: .*(HTTP status|not supported)/);
    expect(source.refusal()).toBeUndefined();
  });

  it('once, in the middle, costs nothing', async () => {
    for (const reply of REFUSALS) {
      const node = createScriptedNode(chainOf(100, 101, 102, 103));
      let refused = false;
      node.quirk = (method, [slot]) => {
        if (method !== 'getBlock' || slot !== 102 || refused || !given(node, 100)) return undefined;
        refused = true;
        return reply;
      };
      expect(await take(sourceOf(node), 4)).toEqual([100, 101, 102, 103]);
      expect(refused).toBe(true);
    }
  });

  it.each(REFUSALS)('one block for good loses that block, and no other: %j', async (reply) => {
    const node = createScriptedNode(chainOf(100, 101, 102, 103, 104, 105));
    node.quirk = (method, [slot]) => {
      if (method !== 'getBlock' || slot !== 102) return undefined;
      return reply;
    };
    const source = sourceOf(node);
    expect(await take(source, 5)).toEqual([100, 101, 103, 104, 105]);
    expect(source.lacks()).toEqual({ passed: 0, unavailable: 1 });
  });

  it('base64 is asked for json, however many calls in base64 are under way when the first json block comes', async () => {
    const slots = Array.from({ length: 12 }, (_, place) => 100 + place);
    const node = createScriptedNode(chainOf(...slots));
    let openGate: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const withoutBase64: ScriptedNode = {
      ...node,
      async reply(method, params) {
        const { encoding } = (params[1] ?? {}) as { readonly encoding?: string };
        if (method === 'getBlock' && encoding === 'json')
          setImmediate(() => setImmediate(() => setImmediate(openGate)));
        if (method !== 'getBlock' || encoding !== 'base64') return node.reply(method, params);
        // All but the first are answered behind the first block in json.
        if (params[0] !== 100) await gate;
        return { error: { code: -32_602, message: 'Invalid params: base64' } };
      },
    };
    expect(await take(sourceOf(withoutBase64), 12)).toEqual(slots);
  });
});

function given(node: ScriptedNode, slot: number): boolean {
  return node.calls.some(({ method, params }) => method === 'getBlock' && params[0] === slot);
}
