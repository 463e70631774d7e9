import type { FeedListener } from '../../src/feed/feed.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';

/** A follower of the feed that cares for new batches alone. */
export function batchListener(batch: (batch: RowBatch) => void): FeedListener {
  return { batch, withdrawn() {}, changed() {} };
}
