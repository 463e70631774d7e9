import { describe, expect, it } from 'vitest';
import { tellRange } from '../../test/support/range-story.ts';
import { chainOf, createScriptedNode, VOTE } from '../../test/support/scripted-node.ts';
import type { Oddity } from '../kernel/journal.ts';

describe('a range of slots from a node whose blocks do not follow', () => {
  /** Blocks of four slots; the answers for one of them are changed as long as there are changes. */
  function changed(slot: number, changes: readonly object[]) {
    const node = createScriptedNode(chainOf(100, 101, 102, 103, 104));
    const left = [...changes];
    node.quirk = (method, [asked, options]) => {
      const isFull = (options as { transactionDetails?: string } | undefined)?.transactionDetails === 'full';
      if (method !== 'getBlock' || asked !== slot || !isFull || left.length === 0) return undefined;
      const header = { blockhash: `hash${slot}`, parentSlot: slot - 1, previousBlockhash: `hash${slot - 1}` };
      return { result: { ...header, transactions: [VOTE], ...left.shift() } };
    };
    return node;
  }
  const other = { previousBlockhash: 'other' };
  const older = { parentSlot: 100, previousBlockhash: 'hash100' };

  it('asks again for a block that names another parent hash, or another parent slot, and names the node', async () => {
    for (const wrong of [other, older]) {
      const notes: Oddity[] = [];
      expect(await tellRange(changed(102, [wrong, wrong]), 100, 103, { notes })).toEqual([100, 101, 102, 103]);
      expect(notes).toMatchObject([
        { code: 'unlinked_block', subject: '127.0.0.1:1', detail: { slot: 102 } },
        { code: 'unlinked_block' },
      ]);
    }
  });

  it('makes a hole of a block that the node holds to, says that both are in doubt, and goes on behind it', async () => {
    for (const wrong of [other, older]) {
      const notes: Oddity[] = [];
      const node = changed(
        102,
        Array.from({ length: 9 }, () => wrong),
      );
      const told = await tellRange(node, 100, 103, { notes });
      expect(told).toEqual([100, 101, ['unavailable', 102, 102], 103]);
      const codes = notes.map(({ code }) => code);
      expect(codes).toEqual(['unlinked_block', 'unlinked_block', 'unlinked_block', 'doubtful_block']);
    }
  });

  it('doubts only the node when its answers do not agree with each other', async () => {
    const notes: Oddity[] = [];
    const answers = [1, 2, 3].map((each) => ({ previousBlockhash: `other${each}` }));
    const told = await tellRange(changed(102, answers), 100, 103, { notes });
    expect(told).toEqual([100, 101, ['unavailable', 102, 102], 103]);
    expect(notes.map(({ code }) => code)).not.toContain('doubtful_block');
  });

  it('compares the first block with what is held from before the range', async () => {
    const heldHash = async (slot: number) => (slot === 100 ? 'hash100' : undefined);
    expect(await tellRange(changed(101, [other]), 101, 102, { notes: [], heldHash })).toEqual([101, 102]);
    const stale = async (slot: number) => (slot === 100 ? 'stale' : undefined);
    const told = await tellRange(changed(101, []), 101, 102, { notes: [], heldHash: stale });
    expect(told).toEqual([['unavailable', 101, 101], 102]);
  });

  it('compares a block behind a hole with the block before it, where that is held by now', async () => {
    const lost = createScriptedNode(chainOf(100, 101, 102, 103, 104));
    lost.quirk = (method, [asked]) =>
      method === 'getBlock' && asked === 102 ? { error: { code: -32_004, message: 'not available' } } : undefined;
    const notes: Oddity[] = [];
    const heldHash = async (slot: number) => (slot === 102 ? 'another' : undefined);
    expect(await tellRange(lost, 100, 104, { notes, heldHash })).toEqual([100, 101, ['unavailable', 102, 103], 104]);
    expect(notes.at(-1)).toMatchObject({ code: 'doubtful_block', detail: { slot: 103, held_slot: 102 } });
    const right = async (slot: number) => (slot === 102 ? 'hash102' : undefined);
    expect(await tellRange(lost, 100, 104, { notes: [], heldHash: right })).toEqual([
      100,
      101,
      ['unavailable', 102, 102],
      103,
      104,
    ]);
  });

  it.each([
    ['names a parent before one that is held', { parentSlot: 100, previousBlockhash: 'hash100' }],
    ['is another one than the one that is held', { blockhash: 'other', parentSlot: 101 }],
    ['names another parent hash', { parentSlot: 101, previousBlockhash: 'other' }],
  ])('does not believe the block after a range when it %s', async (_, wrong) => {
    for (const lies of [1, 2, 3]) {
      const node = createScriptedNode(chainOf(100, 101, 102, 103));
      let left = lies;
      node.quirk = (method, [asked, options]) => {
        if (method === 'getBlocks') return { result: [100, 101, 103].filter((slot) => slot >= Number(asked)) };
        const isLinks = (options as { transactionDetails?: string } | undefined)?.transactionDetails === 'none';
        if (!isLinks || asked !== 103 || left === 0) return undefined;
        left -= 1;
        return { result: { blockhash: 'hash103', previousBlockhash: 'hash101', ...wrong } };
      };
      const notes: Oddity[] = [];
      const heldHash = async (slot: number) => (slot === 103 ? 'hash103' : undefined);
      const told = await tellRange(node, 100, 102, { notes, heldHash });
      expect(told).toEqual([100, 101, lies < 3 ? 102 : ['unavailable', 102, 102]]);
      expect(notes.map(({ code }) => code).slice(0, lies)).toEqual(Array(lies).fill('unlinked_block'));
      expect(notes.length).toBe(lies < 3 ? lies : 4);
    }
  });

  it('does not take a hash that the node does not know for another one, nor a block without the field', async () => {
    expect(await tellRange(changed(102, [{ previousBlockhash: '1'.repeat(32) }]), 100, 103)).toEqual([
      100, 101, 102, 103,
    ]);
    const bare = { previousBlockhash: undefined };
    expect(await tellRange(changed(102, [bare]), 100, 103)).toEqual([100, 101, 102, 103]);
    expect(await tellRange(changed(102, [bare, bare, bare]), 100, 103)).toEqual([
      100,
      101,
      ['unavailable', 102, 102],
      103,
    ]);
  });

  it('asks once more for a block without transactions, takes it then and counts it; without a list it is refused', async () => {
    const notes: Oddity[] = [];
    expect(await tellRange(changed(102, [{ transactions: [] }]), 100, 103, { notes })).toEqual([100, 101, 102, 103]);
    expect(notes).toEqual([]);
    const empty = { transactions: [] };
    expect(await tellRange(changed(102, [empty, empty]), 100, 103, { notes })).toEqual([100, 101, 102, 103]);
    expect(notes).toMatchObject([{ code: 'empty_block', subject: '127.0.0.1:1' }]);
    const absent = { transactions: undefined };
    const told = await tellRange(changed(102, [absent, absent, absent]), 100, 103);
    expect(told).toEqual([100, 101, ['unavailable', 102, 102], 103]);
  });
});
