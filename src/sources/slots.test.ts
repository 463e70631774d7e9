import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../chain/block.ts';
import { createSlotOrder } from './slots.ts';

function block(slot: number, parentSlot = slot - 1): Block {
  return {
    slot,
    parentSlot,
    blockhash: '',
    blockTime: null,
    transactions: [],
    transactionCount: 0,
    voteCount: 0,
    whole: true,
  };
}

/** A chain with skipped slots: each block a few slots after its parent. */
const chain = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 }).map((steps) => {
  let slot = 1_000;
  return steps.map((step) => {
    const parent = slot;
    slot += step;
    return block(slot, parent);
  });
});

describe('the order of slots', () => {
  it('is restored when blocks come late or twice', () => {
    fc.assert(
      fc.property(chain, fc.array(fc.nat(5), { minLength: 40, maxLength: 40 }), (blocks, delays) => {
        const order = createSlotOrder(1_001);
        const shuffled = blocks
          .flatMap((each, place) => [
            { each, at: place + delays[place]! },
            { each, at: place + delays[39 - place]! },
          ])
          .sort((a, b) => a.at - b.at);
        const seen = shuffled.flatMap(({ each }) => {
          const { blocks: released, gap } = order.push(each);
          expect(gap).toBeUndefined();
          return released;
        });
        expect(seen.map(({ slot }) => slot)).toEqual(blocks.map(({ slot }) => slot));
      }),
    );
  });

  it('gives up a parent that never comes, and says which slots are missing', () => {
    const order = createSlotOrder(100);
    expect(order.push(block(100)).blocks).toHaveLength(1);
    let result = order.push(block(103));
    for (let slot = 104; result.gap === undefined; slot += 1) {
      expect(slot).toBeLessThan(130);
      expect(result.blocks).toEqual([]);
      result = order.push(block(slot));
    }
    expect(result.gap).toEqual({ fromSlot: 101, toSlot: 102 });
    expect(result.blocks[0]?.slot).toBe(103);
    expect(order.nextSlot).toBe(result.blocks.at(-1)!.slot + 1);
  });

  it('takes the first block as it is when there is no place to start from', () => {
    const order = createSlotOrder(undefined);
    expect(order.nextSlot).toBeUndefined();
    expect(order.push(block(7)).blocks).toHaveLength(1);
    expect(order.nextSlot).toBe(8);
  });

  it('lets what waits go on from where the source says that it starts', () => {
    const order = createSlotOrder(10);
    expect(order.push(block(51)).blocks).toEqual([]);
    order.skipTo(51);
    expect(order.push(block(52)).blocks.map(({ slot }) => slot)).toEqual([51, 52]);
  });
});
