import type { PoolResult } from './batch.ts';
import type { BatchMaker, PoolBatch } from './batch-maker.ts';
import type { PoolDebit } from './metered-pool.ts';
import type { RefusedDebits } from './refused-debits.ts';
import { BatchRefused } from './write-batch.ts';

/** What became of the pools of a batch, in its order. */
export type BatchResults = readonly (PoolResult | undefined)[];

export interface BatchSenderOptions {
  readonly batches: BatchMaker;
  readonly refused: RefusedDebits;
  readonly write: (batch: PoolBatch) => Promise<BatchResults>;
  /** Told of a batch that is written, before the next one is sent. */
  readonly written: (batch: PoolBatch, results: BatchResults) => Promise<void>;
}

/** Sends batches one after the other. Rejects with whatever keeps all of them from being written. */
export interface BatchSender {
  /** Behind those that are not known to be written. */
  send(batch: PoolBatch): Promise<void>;
  /** Sends again, as they were, what is not known to be written. */
  sendUnsure(): Promise<void>;
  /** Sends debits again that the database refused, when their time has come. */
  retryRefused(): Promise<void>;
  /** What was sent, or was about to be, and is not known to be written. */
  readonly unsure: readonly PoolDebit[];
}

/** A batch that is refused is sent by its pools, so that only the one that is meant waits. */
export function createBatchSender({ batches, refused, write, written }: BatchSenderOptions): BatchSender {
  const unsure: PoolBatch[] = [];

  async function send(batch: PoolBatch): Promise<void> {
    unsure.push(batch);
    await sendUnsure();
  }

  async function sendUnsure(): Promise<void> {
    for (let [batch] = unsure; batch !== undefined; [batch] = unsure) {
      try {
        const results = await write(batch);
        unsure.shift();
        await written(batch, results);
      } catch (error) {
        if (!(error instanceof BatchRefused)) throw error;
        unsure.shift();
        if (batch.items.length === 1) refused.keep(batch, error);
        else unsure.unshift(...batches.split(batch, error));
      }
    }
  }

  return {
    send,
    sendUnsure,
    async retryRefused() {
      for (const { batch, refusal } of refused.due()) {
        await send(refusal.wasWritten ? batch : batches.renumbered(batch));
        // One at a time as long as it goes well: it may be the database that refuses everything.
        if (batch.items.some(({ pool }) => refused.refusalOf(pool) !== undefined)) return;
      }
    },
    get unsure() {
      return unsure.flatMap(({ items }) => items);
    },
  };
}
