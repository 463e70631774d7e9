import type { Metrics } from '../kernel/metrics.ts';
import type { BookMemory } from './book-set.ts';

/** Adds metrics of the books: their number, bytes, limit and evictions, by owner. */
export function addBookMetrics(metrics: Metrics, books: () => Readonly<Record<string, BookMemory>>): void {
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
}
