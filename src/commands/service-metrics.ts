import type { InProcessFeed } from '../feed/in-process.ts';
import { addIngestMetrics } from '../ingest/ingest-metrics.ts';
import type { IngestSnapshot } from '../ingest/ingest-snapshot.ts';
import { createMetrics, type Metrics } from '../kernel/metrics.ts';

export interface ServiceMetricsDeps {
  readonly ingest: { stats(): IngestSnapshot };
  readonly feed: Pick<InProcessFeed, 'headSlot' | 'held'>;
}

/** All that `/metrics` tells: this process, ingest and the feed. docs/monitoring.md says what each figure means. */
export function createServiceMetrics({ ingest, feed }: ServiceMetricsDeps): Metrics {
  const metrics = createMetrics();
  addIngestMetrics(metrics, ingest.stats);
  metrics.gauge({
    name: 'mintscope_feed_head_slot',
    help: 'Newest slot that an answer can contain.',
    read: () => feed.headSlot || undefined,
  });
  metrics.gauge({
    name: 'mintscope_feed_held_batches',
    help: 'Batches that answers are made of and the store does not have.',
    read: () => feed.held,
  });
  return metrics;
}
