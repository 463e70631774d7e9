import type { CreditFigures } from '../accounts/credits/ledger-meter.ts';
import type { BookMemory } from '../books/book-set.ts';
import type { InProcessFeed } from '../feed/in-process.ts';
import type { SocketBounds, SocketFigures } from '../http/sockets/socket-bounds.ts';
import { addIngestMetrics } from '../ingest/report/ingest-metrics.ts';
import type { IngestSnapshot } from '../ingest/report/ingest-snapshot.ts';
import type { Alarm } from '../kernel/alarms.ts';
import { createMetrics, type Metrics } from '../kernel/metrics.ts';
import type { MetadataFigures } from '../metadata/metadata.ts';
import type { GateFigures } from '../store/reads/read-gate.ts';

export interface ServiceMetricsDeps {
  readonly ingest: { stats(): IngestSnapshot };
  readonly feed: Pick<InProcessFeed, 'headSlot' | 'held'>;
  /** What books hold, by whose they are. */
  readonly books: () => Readonly<Record<string, BookMemory>>;
  /** How the documents of tokens come in. */
  readonly metadata: () => MetadataFigures;
  /** How reads of the store wait for a place. */
  readonly reads: () => GateFigures;
  /** How calls are paid for. */
  readonly credits: { readonly figures: CreditFigures; alarms(): readonly Alarm[] };
  /** Who is connected. */
  readonly sockets: Pick<SocketBounds, 'figures' | 'alarms'>;
}

/** All that `/metrics` tells: this process, ingest, the feed, the books, the metadata, reads of the store, credits and connections. docs/monitoring.md says what each figure means. */
export function createServiceMetrics(deps: ServiceMetricsDeps): Metrics {
  const { ingest, feed, books, metadata, reads, credits, sockets } = deps;
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
  addMetadataMetrics(metrics, metadata);
  addReadMetrics(metrics, reads);
  addCreditMetrics(metrics, credits);
  addSocketMetrics(metrics, sockets);
  return metrics;
}

function addMetadataMetrics(metrics: Metrics, read: () => MetadataFigures): void {
  metrics.counter({
    name: 'mintscope_metadata_tries_total',
    help: 'Documents of tokens that were asked for, by what came of it.',
    label: 'outcome',
    read: () => read().tries,
  });
  const gauge = (name: string, help: string, figure: (figures: MetadataFigures) => number) =>
    metrics.gauge({ name: `mintscope_metadata_${name}`, help, read: () => figure(read()) });
  gauge('queued', 'Documents that wait for their turn.', ({ queued }) => queued);
  gauge('under_way', 'Documents that are being read.', ({ underWay }) => underWay);
  gauge('retries_waiting', 'Documents that could not be read and wait for another try.', ({ waiting }) => waiting);
  gauge('image_races', 'Images whose gateways are being asked.', ({ imageRaces }) => imageRaces);
}

function addReadMetrics(metrics: Metrics, read: () => GateFigures): void {
  const gauge = (name: string, help: string, figure: (figures: GateFigures) => number) =>
    metrics.gauge({ name: `mintscope_reads_${name}`, help, read: () => figure(read()) });
  gauge('places', 'Reads of the store that may be under way.', ({ places }) => places);
  gauge('under_way', 'Reads of the store that are under way.', ({ underWay }) => underWay);
  gauge('waiting', 'Reads that wait for their turn.', ({ waiting }) => waiting);
  gauge('accounts', 'Accounts and addresses that read or wait to.', ({ accounts }) => accounts);
  metrics.counter({
    name: 'mintscope_reads_refused_total',
    help: 'Reads that were refused, by why.',
    label: 'why',
    read: () => read().refused,
  });
  metrics.counter({
    name: 'mintscope_reads_abandoned_total',
    help: 'Reads that ended because nobody waited any more or their time was up, by where they were.',
    label: 'where',
    read: () => read().abandoned,
  });
}

function addCreditMetrics(metrics: Metrics, credits: ServiceMetricsDeps['credits']): void {
  const counter = (name: string, help: string, figure: (figures: CreditFigures) => number) =>
    metrics.counter({ name: `mintscope_credits_${name}`, help, read: () => figure(credits.figures) });
  const gauge = (name: string, help: string, figure: (figures: CreditFigures) => number) =>
    metrics.gauge({ name: `mintscope_credits_${name}`, help, read: () => figure(credits.figures) });
  counter('charged_total', 'Credits that were charged and written.', ({ charged }) => charged);
  counter('refused_total', 'Calls that were refused for want of credits.', ({ refused }) => refused);
  counter('lost_total', 'Credits of calls that nobody pays: their lease was taken back.', ({ lost }) => lost);
  gauge('unwritten', 'Credits that are debited in memory only.', ({ unwritten }) => unwritten);
  gauge('write_age_ms', 'Since everything there was to write was written.', ({ writeAgeMs }) => Math.round(writeAgeMs));
  gauge('leases', 'Pools of which this process holds a lease.', ({ leases }) => leases);
  gauge('leased', 'Credits that this process has in hand.', ({ leased }) => leased);
  metrics.gauge({
    name: 'mintscope_credits_alarm',
    help: '1 for each alarm that lasts.',
    label: 'code',
    read: () => Object.fromEntries(credits.alarms().map(({ code }) => [code, 1])),
  });
}

function addSocketMetrics(metrics: Metrics, sockets: ServiceMetricsDeps['sockets']): void {
  const gauge = (name: string, help: string, figure: (figures: SocketFigures) => number) =>
    metrics.gauge({ name: `mintscope_http_${name}`, help, read: () => figure(sockets.figures) });
  gauge('connections', 'Connections that are open.', ({ connections }) => connections);
  gauge('connections_limit', 'Connections that may be open.', ({ maxConnections }) => maxConnections);
  gauge('unread_bytes', 'Bytes of answers that nobody has taken yet.', ({ unreadBytes }) => unreadBytes);
  metrics.counter({
    name: 'mintscope_http_connections_refused_total',
    help: 'Connections that were closed as they came.',
    label: 'reason',
    read: () => sockets.figures.refused,
  });
  metrics.counter({
    name: 'mintscope_http_connections_dropped_total',
    help: 'Connections whose other side did not read, or did not close.',
    label: 'reason',
    read: () => sockets.figures.dropped,
  });
  metrics.gauge({
    name: 'mintscope_http_alarm',
    help: '1 for each alarm that lasts.',
    label: 'code',
    read: () => Object.fromEntries(sockets.alarms().map(({ code }) => [code, 1])),
  });
}
