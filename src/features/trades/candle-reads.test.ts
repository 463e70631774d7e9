import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { extent } from '../../../test/support/extent.ts';
import { randomBetween, randomOf } from '../../../test/support/random.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../../test/support/store-hosts.ts';
import type { BlockFacts, Swap } from '../../facts/fact.ts';
import { toRowBatch } from '../../store/clickhouse/schema/fact-rows.ts';
import { priceDouble } from '../../store/clickhouse/schema/price-double.ts';
import { readCandles } from './candle-reads.ts';

const FIRST_SLOT = 1_000;
const BLOCKS = 14;
const SECONDS_A_BLOCK = 25;
const FIRST_TIME = 1_760_000_000;

let hosts: StoreHosts;
beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts.close());

/** Candles by the definition, of swaps in order. */
function candlesOf(swaps: readonly Swap[], step: number) {
  const buckets = new Map<number, Swap[]>();
  for (const swap of swaps) {
    const start = swap.time - (swap.time % step);
    buckets.set(start, [...(buckets.get(start) ?? []), swap]);
  }
  return Array.from(buckets, ([start, trades]) => {
    const prices = trades.map(({ priceQuote, priceToken }) => priceDouble(priceQuote, priceToken));
    const volume = trades.reduce((sum, { quoteAmount }) => sum + quoteAmount, 0n);
    const [open, close] = [prices[0], prices.at(-1)];
    return { start, open, high: Math.max(...prices), low: Math.min(...prices), close, volume, trades: trades.length };
  });
}

function drawBlocks(): { readonly blocks: BlockFacts[]; readonly mints: readonly string[] } {
  const maker = createFactsMaker({ seed: randomBetween(1, 1e9), firstSlot: FIRST_SLOT, mints: 3, swapsPerBlock: 9 });
  const blocks = Array.from({ length: BLOCKS }, (_, at) => {
    const block = maker.next();
    const time = FIRST_TIME + at * SECONDS_A_BLOCK;
    return { ...block, time, swaps: block.swaps.map((swap) => ({ ...swap, time })) };
  });
  return { blocks, mints: maker.mints };
}

it('are those of the swaps that the store answers for, at any slot, late blocks and single transactions among them', async () => {
  for (let story = 0; story < extent(1, 20); story++) {
    const client = await hosts.openDatabase();
    const { blocks, mints } = drawBlocks();
    const late = blocks.splice(randomBetween(2, 8), 1);
    const single = blocks.splice(randomBetween(2, 8), 1).map((block) => ({ ...block, whole: false }));
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    for (const some of [blocks.slice(0, 8), single, blocks.slice(8), late]) {
      await writer.flush(some.map((block) => toRowBatch(block, [])));
    }
    await writer.close(1_000);
    const stored = [...blocks, ...late, ...single].toSorted((a, b) => a.slot - b.slot);
    const marks = [FIRST_SLOT + BLOCKS, FIRST_SLOT + randomBetween(0, BLOCKS), FIRST_SLOT + randomBetween(0, BLOCKS)];
    for (const mark of marks) {
      const mint = randomOf(stored[0]!.swaps.map((swap) => swap.mint).filter((each) => mints.includes(each)));
      const told = stored.filter(({ slot, whole }) => slot <= mark || !whole);
      const swaps = told.flatMap((block) => block.swaps.filter((swap) => swap.mint === mint && swap.priced));
      for (const step of [15, 60, 300]) {
        const window = { quote: '', pool: '', step, from: 0, to: 2 ** 32, order: 'asc', limit: 1_000 } as const;
        const found = await readCandles(client, mint, mark, window);
        expect({ mark, mint, step, found }).toEqual({ mark, mint, step, found: candlesOf(swaps, step) });
        const last = await readCandles(client, mint, mark, { ...window, order: 'desc', limit: 1 });
        expect(last).toEqual(found.slice(-1));
      }
    }
    await client.close();
  }
});
