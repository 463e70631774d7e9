import fc from 'fast-check';
import { createFeed, type InProcessFeed } from '../../src/feed/in-process.ts';
import type { StoreClient } from '../../src/store/clickhouse/client.ts';
import { openTestStore } from './store.ts';
import { relocateWorld, worldBatch, worldBlocks } from './token-world.ts';
import type { WorldBlock } from './token-world-rows.ts';

const SEED = 4_711;
const BLOCKS = 60;
const HELD_BATCHES = 100;

/** A real store with small worlds of tokens in it, and the feed that told of them. */
export interface WorldStore {
  readonly client: StoreClient;
  readonly feed: InProcessFeed;
  /** Blocks of all worlds; tokens of one are not those of another. */
  readonly blocks: readonly WorldBlock[];
  close(): Promise<void>;
}

/** The same worlds each time, up to `now` in seconds. */
export async function openWorldStore(now: number, worlds: number): Promise<WorldStore> {
  const { store, close } = await openTestStore();
  const feed = createFeed({ maxHeldBatches: HELD_BATCHES });
  const shapes = fc.sample(worldBlocks(now, BLOCKS), { numRuns: worlds, seed: SEED });
  const blocks = shapes.flatMap((shape, world) => relocateWorld(shape, world));
  const batches = blocks.map((block) => worldBatch(block));
  await store.writer.flush(batches);
  for (const batch of batches) feed.publish(batch);
  feed.commit(2 ** 32 - 1, batches.length);
  return { client: store.client, feed, blocks, close };
}
