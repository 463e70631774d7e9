import { randomUUID } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import type { Batch } from './batch.ts';
import type { LeaseTimes } from './lease-rules.ts';
import type { MeteredPool, PoolDebit } from './metered-pool.ts';
import type { BatchRefused } from './write-batch.ts';

/** Batches of pools, as the writer sends them. */
export interface PoolBatch extends Batch {
  readonly items: readonly PoolDebit[];
}

/** Of one transaction, so that it is short and others get their turn. */
const MAX_BATCH_POOLS = 100;
const MAX_BATCH_ROWS = 1_000;

export interface BatchMakerOptions {
  readonly clock: Clock;
  readonly holder: string;
  readonly leaseTimes: LeaseTimes;
}

/** Makes the batches of this process, and counts them. */
export interface BatchMaker {
  /** Takes pools from the end of the queue, as many as one transaction writes. `taken` is told of each before it is asked. */
  compose(queue: MeteredPool[], taken: (pool: MeteredPool) => void): PoolBatch;
  /** Each pool by itself, so that only the one that is refused waits. */
  split(batch: PoolBatch, refusal: BatchRefused): PoolBatch[];
  /** The same under a new number: only of a batch of which nothing was written, nor ever will be. */
  renumbered(batch: PoolBatch): PoolBatch;
}

export function createBatchMaker({ clock, holder, leaseTimes }: BatchMakerOptions): BatchMaker {
  let number = 0;

  function renumbered(batch: PoolBatch): PoolBatch {
    number += 1;
    return { ...batch, number };
  }

  return {
    compose(queue, taken) {
      number += 1;
      const items: PoolDebit[] = [];
      for (let rows = 0; queue.length > 0 && items.length < MAX_BATCH_POOLS && rows < MAX_BATCH_ROWS; ) {
        const pool = queue.pop()!;
        taken(pool);
        const item = pool.compose(randomUUID);
        rows += item.usage.length;
        items.push(item);
      }
      return { holder, number, items, leaseTimes, at: clock.now(), since: clock.elapsed() };
    },
    split: (batch, { wasWritten }) =>
      batch.items.map((item) => ({ ...(wasWritten ? batch : renumbered(batch)), items: [item] })),
    renumbered,
  };
}
