import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tellRange } from '../../test/support/range-story.ts';
import type { RpcReply } from '../../test/support/rpc-server.ts';
import { type ChainBlock, chainOf, createScriptedNode, type ScriptedNode } from '../../test/support/scripted-node.ts';
import { clientOf, createDreamClock } from '../../test/support/scripted-transport.ts';
import { failingJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { readRpcRange } from './rpc-range.ts';

describe('a range of slots from a node', () => {
  it('is told slot by slot, and its end by the block after it', async () => {
    const node = createScriptedNode(chainOf(99, 100, 103, 104, 109));
    expect(await tellRange(node, 100, 106)).toEqual([100, ['skipped', 101, 102], 103, 104, ['skipped', 105, 106]]);
    expect(await tellRange(node, 105, 108)).toEqual([['skipped', 105, 108]]);
  });

  it('does not take the end of what is confirmed for skipped slots', async () => {
    const node = createScriptedNode(chainOf(100, 101, 105));
    node.head = 103;
    expect(await tellRange(node, 100, 104)).toEqual([100, 101, ['unavailable', 102, 104]]);
    expect(node.calls.filter(({ params }) => Number(params[0]) > 103)).toEqual([]);
  });

  it('names what is older than the history of the node, and asks other nodes behind its address first', async () => {
    const node = createScriptedNode(chainOf(100, 101, 102, 103));
    node.oldest = 102;
    expect(await tellRange(node, 90, 102)).toEqual([['unavailable', 90, 101], 102]);
    expect(await tellRange(node, 90, 95)).toEqual([['unavailable', 90, 95]]);
    let answers = 0;
    node.quirk = (method) => {
      if (method !== 'getFirstAvailableBlock') return undefined;
      answers += 1;
      return { result: answers % 2 === 1 ? 102 : 50 };
    };
    node.oldest = 50;
    expect(await tellRange(node, 100, 102)).toEqual([100, 101, 102]);
  });

  it('finds what a list leaves out by the parent links', async () => {
    const node = createScriptedNode(chainOf(100, 101, 103, 104, 106, 107));
    for (const list of [[], [106], [100, 106], [104, 100, 100, 7], 'nonsense']) {
      node.quirk = (method) => (method === 'getBlocks' ? { result: list } : undefined);
      const whole = list.length > 0 && list !== 'nonsense';
      if (whole) {
        const told = await tellRange(node, 100, 105);
        expect(told.slice(0, 5)).toEqual([100, 101, ['skipped', 102, 102], 103, 104]);
      } else {
        expect(await tellRange(node, 100, 105)).toEqual([['unavailable', 100, 105]]);
      }
    }
  });

  it('names a block that is nowhere to be had, and nothing but it', async () => {
    for (const error of [
      { code: -32_007, message: 'Slot 102 was skipped, or missing due to ledger jump' },
      { code: -32_019, message: 'long-term storage is unreachable' },
      { code: -32_004, message: 'Block not available' },
    ]) {
      const node = createScriptedNode(chainOf(100, 101, 102, 103, 104));
      node.quirk = (method, [slot]) => (method === 'getBlock' && slot === 102 ? { error } : undefined);
      expect(await tellRange(node, 100, 103)).toEqual([100, 101, ['unavailable', 102, 102], 103]);
      // Also at the end, where only the block after the range can tell of it.
      expect(await tellRange(node, 100, 102)).toEqual([100, 101, ['unavailable', 102, 102]]);
    }
  });

  it('takes no word of the node for a slot that is none', async () => {
    const node = createScriptedNode(chainOf(100, 101, 102));
    const odd: unknown[] = [{}, null];
    node.quirk = (method) => {
      if (method === 'getFirstAvailableBlock') return { result: 'genesis' };
      return method === 'getSlot' && odd.length > 0 ? { result: odd.shift() } : undefined;
    };
    expect(await tellRange(node, 100, 101)).toEqual([100, 101]);
    node.quirk = (method) => (method === 'getSlot' ? { result: '102' } : undefined);
    await expect(tellRange(node, 100, 101)).rejects.toThrow('no slot');
  });

  it('does not ask slot by slot for a long stretch that a node never had', async () => {
    const slots = Array.from({ length: 40 }, (_, place) => 100_000 + place);
    const node = createScriptedNode([...chainOf(100, 101), { slot: 99_999, parentSlot: 99_998 }, ...chainOf(...slots)]);
    expect(await tellRange(node, 100, 100_001)).toEqual([
      100,
      101,
      ['unavailable', 102, 99_998],
      99_999,
      100_000,
      100_001,
    ]);
    expect(node.calls.length).toBeLessThan(300);
  });

  it('asks slot by slot where lists are refused, and for json where base64 is', async () => {
    const node = createScriptedNode(chainOf(100, 101, 104, 105));
    const encodings = new Set<unknown>();
    node.quirk = (method, params) => {
      if (method === 'getBlocks') return { error: { code: -32_601, message: 'Method not found' } };
      if (method !== 'getBlock') return undefined;
      const { encoding } = params[1] as { readonly encoding?: string };
      encodings.add(encoding);
      return encoding === 'base64' ? { error: { code: -32_602, message: 'Invalid params' } } : undefined;
    };
    expect(await tellRange(node, 100, 104)).toEqual([100, 101, ['skipped', 102, 103], 104]);
    expect([...encodings]).toContain('json');
    expect(node.calls.filter(({ method }) => method === 'getBlocks')).toHaveLength(1);
  });

  it('reads whole blocks for their parents where nothing less is given', async () => {
    const node = createScriptedNode(chainOf(100, 101, 105));
    node.quirk = (method, params) =>
      method === 'getBlock' && (params[1] as { readonly transactionDetails?: string }).transactionDetails === 'none'
        ? { error: { code: -32_602, message: 'Invalid params' } }
        : undefined;
    expect(await tellRange(node, 100, 103)).toEqual([100, 101, ['skipped', 102, 103]]);
  });

  it('is not led astray by a block that names itself or a later one as its parent', async () => {
    const node = createScriptedNode([
      ...chainOf(100, 101),
      { slot: 103, parentSlot: 103 },
      { slot: 104, parentSlot: 200 },
    ]);
    expect(await tellRange(node, 100, 102)).toEqual([100, 101, ['unavailable', 102, 102]]);
    expect(await tellRange(node, 100, 103)).toEqual([100, 101, ['unavailable', 102, 103]]);
  });

  it.each(['getFirstAvailableBlock', 'getBlocks'])(
    'is read to its end from a node whose only answer to %s is an error that says nothing',
    async (vague) => {
      const node = createScriptedNode(chainOf(99, 100, 103, 104, 109));
      for (const code of [-32_603, -32_000, -32_019]) {
        node.quirk = (method) => (method === vague ? { error: { code, message: 'Internal error' } } : undefined);
        expect(await tellRange(node, 100, 106)).toEqual([100, ['skipped', 101, 102], 103, 104, ['skipped', 105, 106]]);
      }
    },
  );

  it('gets everything from many nodes behind one address, each as far as it is', async () => {
    const chain = chainOf(...Array.from({ length: 80 }, (_, place) => 100 + place + Math.floor(place / 7)));
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(2)), fc.integer({ min: 1, max: 20 }), async (turns, lag) => {
        const [ahead, behind, young] = [
          createScriptedNode(chain),
          createScriptedNode(chain),
          createScriptedNode(chain),
        ];
        behind.head -= lag;
        // Does not know yet what others have listed.
        behind.quirk = (method, [slot]) =>
          method === 'getBlock' && Number(slot) > behind.head ? { result: null } : undefined;
        young.oldest = 140;
        let shortened = 0;
        const pick = (method: string) => {
          const node = [ahead, behind, young][turns.next().value]!;
          if (method !== 'getFirstAvailableBlock') return node;
          // Three that say the same, one after the other, are believed.
          shortened = node === young ? (shortened + 1) % 3 : 0;
          return node === young && shortened === 0 ? ahead : node;
        };
        const pool: Pick<ScriptedNode, 'reply'> = { reply: (method, params) => pick(method).reply(method, params) };
        const last = ahead.head - 25;
        const told = await tellRange(pool, 100, last);
        const slots = chain.map(({ slot }) => slot).filter((slot) => slot <= last);
        expect(told.filter((each) => typeof each === 'number')).toEqual(slots);
      }),
      { numRuns: 50 },
    );
  });

  it('says what a node lacks that does not give version 1 transactions', async () => {
    const node = createScriptedNode(chainOf(100));
    node.quirk = (method) =>
      method === 'getBlock' ? { error: { code: -32_015, message: 'Transaction version (1) …' } } : undefined;
    await expect(tellRange(node, 100, 100)).rejects.toThrow(/version 1 transactions/);
  });

  it('stops fetching when nobody asks for more', async () => {
    const node = createScriptedNode(chainOf(...Array.from({ length: 400 }, (_, place) => 100 + place)));
    const clock = createDreamClock();
    const tools = { client: clientOf(node, clock), clock, log: silentLogger, journal: failingJournal };
    for await (const step of readRpcRange(tools, { first: 100, last: 480 }, new AbortController().signal)) {
      if (step.kind === 'block' && step.block.slot === 110) break;
    }
    const calls = node.calls.length;
    expect(calls).toBeLessThan(100);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(node.calls.length).toBe(calls);
  });
});

describe('a range of slots from nodes of every kind', () => {
  interface World {
    readonly chain: readonly ChainBlock[];
    readonly node: Pick<ScriptedNode, 'reply'>;
    readonly first: number;
    readonly last: number;
    readonly oldest: number;
    readonly lost: ReadonlySet<number>;
  }

  /** Skips, lists with holes, nodes that lag, passing faults, blocks that are gone for good. */
  const world: fc.Arbitrary<World> = fc
    .record({
      strides: fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 9 })), {
        minLength: 12,
        maxLength: 60,
      }),
      lostPlaces: fc.uniqueArray(fc.nat(50), { maxLength: 3 }),
      from: fc.nat(60),
      length: fc.nat(120),
      pruned: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(40)),
      lists: fc.boolean(),
      leftOut: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
      // Never answered with more than "internal error", however often they are asked.
      vague: fc.oneof(
        { weight: 4, arbitrary: fc.constant(new Set<string>()) },
        fc.subarray(['getFirstAvailableBlock', 'getBlocks'], { minLength: 1 }).map((methods) => new Set(methods)),
      ),
      faults: fc.infiniteStream(fc.nat(39)),
    })
    .map(({ strides, lostPlaces, from, length, pruned, lists, leftOut, vague, faults }) => {
      let slot = 1_000;
      const chain = chainOf(...strides.map((stride) => (slot += stride)));
      const lost = new Set(lostPlaces.flatMap((place) => (chain[place] === undefined ? [] : [chain[place].slot])));
      const scripted = createScriptedNode(chain);
      scripted.oldest = pruned === 0 ? 0 : 1_000 + pruned;
      let faultsLeft = 60;
      // Of five in a row about one block the last would be believed.
      let vagueLeft = 4;
      scripted.quirk = (method, params) => {
        if (vague.has(method)) return FAULTS[3];
        const fault = faultsLeft > 0 ? faults.next().value : 39;
        if (fault < FAULTS.length && (fault < 3 || vagueLeft-- > 0)) {
          faultsLeft -= 1;
          return FAULTS[fault];
        }
        if (method === 'getBlock' && lost.has(Number(params[0]))) return SKIPPED;
        if (method !== 'getBlocks') return undefined;
        if (!lists) return { error: { code: -32_601, message: 'Method not found' } };
        const [first, last] = params as [number, number];
        const has = (each: number, place: number) =>
          each >= Math.max(first, scripted.oldest) &&
          each <= last &&
          !leftOut[place % leftOut.length] &&
          !lost.has(each);
        return { result: chain.map((block) => block.slot).filter(has) };
      };
      const first = 995 + from;
      return { chain, node: scripted, first, last: first + length, oldest: scripted.oldest, lost };
    });

  const SKIPPED: RpcReply = { error: { code: -32_007, message: 'Slot was skipped, or missing due to ledger jump' } };
  const FAULTS: readonly RpcReply[] = [
    { status: 429, headers: { 'retry-after': '2' } },
    { status: 503 },
    { error: { code: -32_005, message: 'Node is behind by 42 slots' } },
    { error: { code: -32_603, message: 'Internal error' } },
  ];

  it('gives every block that can be had once and in order, and names the rest: the steps are the range', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ chain, node, first, last, oldest, lost }) => {
        const told = await tellRange(node, first, last);
        let next = first;
        const blocks: number[] = [];
        const unavailable: number[] = [];
        for (const each of told) {
          const [kind, from, to] = typeof each === 'number' ? (['block', each, each] as const) : each;
          expect(from).toBe(next);
          expect(to).toBeGreaterThanOrEqual(from);
          next = to + 1;
          const within = chain.map(({ slot }) => slot).filter((slot) => slot >= from && slot <= to);
          if (kind === 'block') blocks.push(from);
          else if (kind === 'skipped') expect(within).toEqual([]);
          else unavailable.push(...within);
        }
        expect(next).toBe(last + 1);
        const range = chain.map(({ slot }) => slot).filter((slot) => slot >= first && slot <= last);
        expect([...blocks, ...unavailable].sort((a, b) => a - b)).toEqual(range);
        // Blocks that a later block leads to are there, unless they are gone.
        const provable = range.filter((slot) => blocks.some((block) => block > slot) && slot >= oldest);
        for (const slot of provable) if (!lost.has(slot)) expect(blocks).toContain(slot);
      }),
      { numRuns: 300 },
    );
  });
});
