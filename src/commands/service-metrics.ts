import type { BookMemory } from '../books/book-set.ts';
import type { InProcessFeed } from '../feed/in-process.ts';
import { addIngestMetrics } from '../ingest/ingest-metrics.ts';
import type { IngestSnapshot } from '../ingest/ingest-snapshot.ts';
import { createMetrics, type Metrics } from '../kernel/metrics.ts';

export interface ServiceMetricsDeps {
  readonly ingest: { stats(): IngestSnapshot };
  readonly feed: Pick<InProcessFeed, 'headSlot' | 'held'>;
  /** What books hold, by whose they are. */
  readonly books: () => Readonly<Record<string, BookMemory>>;
}

/** All that `/metrics` tells: this process, ingest, the feed and the books. docs/monitoring.md says what each figure means. */
export function createServiceMetrics({ ingest, feed, books }: ServiceMetricsDeps): Metrics {
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
  const ofBooks = (read: (memory: BookMemory) => number) => () =>
    Object.fromEntries(Object.entries(books()).map(([of, memory]) => [of, read(memory)]));
  metrics.gauge({
    name: 'mintscope_books_held',
    help: 'Books in memory.',
    label: 'of',
    read: ofBooks((memory) => memory.books),
  });
  metrics.gauge({
    name: 'mintscope_books_bytes',
    help: 'About what books hold in memory.',
    label: 'of',
    read: ofBooks((memory) => memory.bytes),
  });
  metrics.gauge({
    name: 'mintscope_books_limit_bytes',
    help: 'What books may hold in memory.',
    label: 'of',
    read: ofBooks((memory) => memory.maxBytes),
  });
  metrics.counter({
    name: 'mintscope_books_evicted_total',
    help: 'Books that were dropped to keep within the limits.',
    label: 'of',
    read: ofBooks((memory) => memory.evicted),
  });
  return metrics;
}
