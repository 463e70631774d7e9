import type { Metrics } from '../../kernel/metrics.ts';
import type { GateFigures } from './read-gate.ts';

/** Adds figures of reads that have or wait for a place. */
export function addReadMetrics(metrics: Metrics, read: () => GateFigures): void {
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
