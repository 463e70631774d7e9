import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyAnswer } from '../../test/support/every-answer.ts';
import { createMemoryReads } from '../../test/support/memory-reads.ts';
import {
  partialBlock,
  relocateWorld,
  WORLD_MINTS,
  type WorldBlock,
  worldBatch,
  worldBlocks,
  worldMint,
} from '../../test/support/token-world.ts';
import { createFeed } from '../feed/in-process.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { createTokenReads } from '../queries/store-reads.ts';
import { openStore, type Store } from '../store/clickhouse/store.ts';
import { DEFAULT_BOOK_LIMITS } from './book-limits.ts';
import { createTokenBooks } from './token-books.ts';

const NOW = 1_790_000_000;
const clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: async () => {} };
const TINY = { ...DEFAULT_BOOK_LIMITS, sizes: { rows: 1, ticks: 1, candles: 1, activitySwaps: 0, holders: 1 } };

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintscope-books-'));
  store = await openStore({ url: undefined, dataDir: folder, log: silentLogger, clock: systemClock });
});

afterAll(async () => {
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes blocks into the store, and hands them to memory and to a feed that starts before them. */
async function settle(blocks: readonly WorldBlock[], closesSlots: boolean) {
  const memory = createMemoryReads();
  const feed = createFeed({ maxHeldBatches: 100 });
  const batches = blocks.map((block) => worldBatch(block, closesSlots));
  await store.writer.flush(batches);
  for (const block of blocks) memory.add(block);
  for (const batch of batches) feed.publish(batch);
  feed.commit(2 ** 32 - 1, batches.length);
  return { memory, feed };
}

describe('reads of the store', () => {
  it('answer as plain arrays of the same rows do, out of books and without them', async () => {
    const worlds = fc.sample(worldBlocks(NOW, 30), { numRuns: 4, seed: 20_261_121 });
    for (const [world, shape] of worlds.entries()) {
      const closesSlots = world !== 3;
      const blocks = relocateWorld(closesSlots ? shape : shape.map(partialBlock), world);
      const { memory, feed } = await settle(blocks, closesSlots);
      const expected = createTokenBooks({ reads: memory, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      const reads = createTokenReads(store.client);
      const cold = createTokenBooks({ reads, feed, clock, limits: TINY });
      const hot = createTokenBooks({ reads, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      for (const mint of WORLD_MINTS.map((each) => worldMint(each, world))) {
        const answers = await everyAnswer(expected, mint, 3, NOW);
        expect(await everyAnswer(hot, mint, 3, NOW)).toEqual(answers);
        expect(await everyAnswer(cold, mint, 3, NOW)).toEqual(answers);
      }
    }
  }, 120_000);
});
