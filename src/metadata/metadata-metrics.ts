import type { Metrics } from '../kernel/metrics.ts';
import type { MetadataFigures } from './metadata.ts';

/** Adds metrics of the documents that are read. */
export function addMetadataMetrics(metrics: Metrics, read: () => MetadataFigures): void {
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
