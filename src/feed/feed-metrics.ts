import type { Metrics } from '../kernel/metrics.ts';
import type { InProcessFeed } from './in-process.ts';

/** Adds the feed's newest slot and the batches that it holds. */
export function addFeedMetrics(metrics: Metrics, feed: Pick<InProcessFeed, 'headSlot' | 'held'>): void {
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
}
