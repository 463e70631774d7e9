import { describe, expect, it } from 'vitest';
import type { Block } from '../chain/block.ts';
import type { FetchedBlock } from './block-fetcher.ts';
import { createAheadBudget, fetchAhead } from './fetch-ahead.ts';

const MIB = 1024 ** 2;
const slots = Array.from({ length: 60 }, (_, place) => 100 + place);

/** Blocks that come when the test lets them. */
function createShelf(bytes: number) {
  const asked = new Map<number, (fetched: FetchedBlock) => void>();
  let most = 0;
  return {
    asked,
    get most() {
      return most;
    },
    fetch(slot: number): Promise<FetchedBlock> {
      return new Promise((resolve) => {
        asked.set(slot, resolve);
        most = Math.max(most, asked.size);
      });
    },
    async give(slot: number) {
      const block = { slot } as Block;
      asked.get(slot)?.({ kind: 'block', block, bytes });
      asked.delete(slot);
      await settled();
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('fetching ahead', () => {
  it('gives slots in turn, whichever comes first, and asks for no more than the budget', async () => {
    const shelf = createShelf(1_000);
    const taken: number[] = [];
    const reading = (async () => {
      for await (const { slot } of fetchAhead(slots, shelf.fetch, createAheadBudget(8))) taken.push(slot);
    })();
    await settled();
    while (shelf.asked.size > 0) await shelf.give([...shelf.asked.keys()].at(-1)!);
    await reading;
    expect(taken).toEqual(slots);
    expect(shelf.most).toBe(8);
  });

  it('learns how large blocks are: a few large ones fill the budget as well', async () => {
    const shelf = createShelf(16 * MIB);
    const budget = createAheadBudget(32, 48 * MIB);
    const iterator = fetchAhead(slots, shelf.fetch, budget);
    const first = iterator.next();
    await settled();
    // Before the first has come, each counts as 6 MiB.
    expect(shelf.asked.size).toBe(8);
    await shelf.give(100);
    await first;
    for (const slot of slots.slice(1, 8)) await shelf.give(slot);
    expect(shelf.asked.size).toBe(0);
    // Those at hand are more than the budget: nothing is asked for until they are taken.
    for (let turn = 0; turn < 4; turn += 1) await iterator.next();
    expect(shelf.asked.size).toBe(0);
    for (let turn = 0; turn < 3; turn += 1) await iterator.next();
    void iterator.next();
    await settled();
    expect(shelf.asked.size).toBe(3);
  });

  it('asks for the one whose turn it is however large it may be', async () => {
    const shelf = createShelf(100 * MIB);
    const iterator = fetchAhead([100, 101], shelf.fetch, createAheadBudget(4, MIB));
    for (const slot of [100, 101]) {
      const taken = iterator.next();
      await settled();
      expect([...shelf.asked.keys()]).toEqual([slot]);
      await shelf.give(slot);
      expect((await taken).value).toMatchObject({ slot });
    }
  });

  it('asks for nothing more when nobody reads on', async () => {
    const shelf = createShelf(1_000);
    const iterator = fetchAhead(slots, shelf.fetch, createAheadBudget(4));
    const first = iterator.next();
    await settled();
    await shelf.give(100);
    await first;
    await iterator.return(undefined);
    const asked = [...shelf.asked.keys()];
    for (const slot of asked) await shelf.give(slot);
    expect(shelf.asked.size).toBe(0);
  });

  it('throws a fault in its turn, after what came before it', async () => {
    const fetch = async (slot: number): Promise<FetchedBlock> => {
      if (slot === 102) throw new Error('no more');
      return { kind: 'none' };
    };
    const taken: number[] = [];
    const reading = (async () => {
      for await (const { slot } of fetchAhead(slots, fetch, createAheadBudget())) taken.push(slot);
    })();
    await expect(reading).rejects.toThrow('no more');
    expect(taken).toEqual([100, 101]);
  });
});
