import { describe, expect, it } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import { foldedBatches } from '../support/folded-batches.ts';
import { openTestStore } from '../support/store.ts';
import { batchDifference, holdingDifference, rowsDifference, viewsOf } from './store-truth.ts';

const simulator = createSimulator({ seed: 'store-truth', sign: false });
const block = Array.from({ length: 20 }, () => simulator.next()).find(
  ({ truth }) => truth.facts('decoded').swaps.length > 1,
)!;
const facts = block.truth.facts('decoded');
const view = viewsOf(block, { sentSlots: new Set([block.slot]), given: new Map() });

describe('the comparison with the truth', () => {
  it('finds nothing between a block and itself', () => {
    expect(batchDifference(toRowBatch(facts, []), view)).toBeUndefined();
  });

  it('finds the last byte of a signature', () => {
    const [first, ...rest] = facts.swaps;
    const signature = Uint8Array.from(first!.signature);
    signature[63]! ^= 1;
    const batch = toRowBatch({ ...facts, swaps: [{ ...first!, signature }, ...rest] }, []);
    expect(batchDifference(batch, view)).toContain('swaps: ');
  });

  it('finds one unit of an amount, a row that is missing, and one that is there twice', () => {
    const [first, ...rest] = facts.swaps;
    for (const swaps of [[{ ...first!, fee: first!.fee + 1n }, ...rest], rest, [first!, first!, ...rest]]) {
      expect(batchDifference(toRowBatch({ ...facts, swaps }, []), view)).toContain(`slot ${block.slot}, `);
    }
  });

  it('finds a block that is not there, though nobody ever gave it', () => {
    const nothing = { firstSlot: block.slot, lastSlot: block.slot, closesSlots: true, tables: new Map() };
    const unserved = viewsOf(block, { sentSlots: new Set(), given: new Map() });
    expect(batchDifference(nothing, unserved)).toContain('blocks: 0 rows');
  });

  it('does not mind the order of rows', () => {
    expect(rowsDifference([{ a: 1n }, { a: 2n }], [{ a: 2n }, { a: 1n }])).toBeUndefined();
  });
});

describe('the comparison of holdings with one fold', () => {
  it('finds nothing between what ingest sends and the chain, and a holding that is not told', async () => {
    const chain = createSimulator({ seed: 'store-truth-holdings', sign: false });
    const blocks = Array.from({ length: 60 }, () => chain.next().truth.facts('decoded'));
    const { store, close } = await openTestStore();
    try {
      await store.writer.flush(foldedBatches(blocks));
      expect(await holdingDifference(store.client, blocks)).toBeUndefined();
      const traded = new Set(blocks.flatMap(({ swaps }) => swaps.map(({ mint }) => mint)));
      const last = blocks.findLastIndex(({ transfers }) => transfers.some(({ mint }) => traded.has(mint)));
      expect(last).toBeGreaterThan(0);
      const untold = blocks.with(last, { ...blocks[last]!, transfers: [] });
      expect(await holdingDifference(store.client, untold)).toContain('holdings: ');
    } finally {
      await close();
    }
  });
});
