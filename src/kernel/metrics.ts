import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import type { HistogramFigures } from './histogram.ts';

/** A figure of one set of labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A figure, figures by the value of one label, or by several. Undefined leaves the sample out. */
export type Reading = number | undefined | Readonly<Record<string, number>> | readonly Sample[];

interface Definition<R> {
  /** With the unit last, such as `mintscope_ingest_lag_ms`. */
  readonly name: string;
  readonly help: string;
  /** Asked at each scrape: nothing is counted twice, and a scrape costs nothing in between. */
  readonly read: () => R;
}

export interface MetricDefinition extends Definition<Reading> {
  /** Needed when the reading is by label. Its values must be few, whatever the chain does. */
  readonly label?: string | readonly string[];
}

/** Metrics in the Prometheus text format. One per process. */
export interface Metrics {
  /** Goes up only. */
  counter(definition: MetricDefinition): void;
  /** Goes up and down. */
  gauge(definition: MetricDefinition): void;
  histogram(definition: Definition<HistogramFigures>): void;
  readonly contentType: string;
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const shape = ({ name, help, label }: MetricDefinition) => ({
    name,
    help,
    labelNames: labelNames(label),
    registers: [registry],
  });

  return {
    counter(definition) {
      new Counter({
        ...shape(definition),
        collect() {
          this.reset();
          // A metric without labels is reset to a 0 that nobody measured.
          if (definition.label === undefined) this.remove();
          for (const { labels, value } of samplesOf(definition)) this.inc(labels, value);
        },
      });
    },
    gauge(definition) {
      new Gauge({
        ...shape(definition),
        collect() {
          this.reset();
          if (definition.label === undefined) this.remove();
          for (const { labels, value } of samplesOf(definition)) this.set(labels, value);
        },
      });
    },
    histogram({ name, help, read }) {
      const metric = {
        name,
        help,
        type: 'histogram',
        get: async () => ({ name, help, type: 'histogram', values: bucketsOf(name, read()) }),
      };
      // The library's own histograms only count what is measured in this thread; all that its registry uses is here.
      registry.registerMetric(metric as unknown as Metric);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function labelNames(label: MetricDefinition['label']): string[] {
  if (label === undefined) return [];
  return typeof label === 'string' ? [label] : [...label];
}

function samplesOf({ read, label }: MetricDefinition): readonly Sample[] {
  const reading = read();
  if (reading === undefined) return [];
  if (typeof reading === 'number') return [{ labels: {}, value: reading }];
  if (isSamples(reading)) return reading;
  if (typeof label !== 'string') throw new TypeError('a reading by label needs one label name');
  return Object.entries(reading).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function isSamples(reading: Exclude<Reading, number | undefined>): reading is readonly Sample[] {
  return Array.isArray(reading);
}

/** Buckets of the text format hold everything up to their bound. */
function bucketsOf(name: string, { bounds, counts, sum, count }: HistogramFigures) {
  let upTo = 0;
  const buckets = bounds.map((bound, at) => {
    upTo += counts[at]!;
    return { metricName: `${name}_bucket`, labels: { le: bound }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels: {}, value: sum },
    { metricName: `${name}_count`, labels: {}, value: count },
  ];
}
