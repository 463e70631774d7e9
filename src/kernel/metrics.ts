import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** A figure, or figures by the value of one label. Undefined leaves the sample out. */
export type Reading = number | undefined | Readonly<Record<string, number>>;

export interface MetricDefinition {
  /** With the unit last, such as `mintscope_ingest_lag_ms`. */
  readonly name: string;
  readonly help: string;
  /** Needed when the reading is by label. */
  readonly label?: string;
  /** Asked at each scrape: nothing is counted twice, and a scrape costs nothing in between. */
  readonly read: () => Reading;
}

/** Metrics in the Prometheus text format. One per process. */
export interface Metrics {
  /** Goes up only. */
  counter(definition: MetricDefinition): void;
  /** Goes up and down. */
  gauge(definition: MetricDefinition): void;
  readonly contentType: string;
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const shape = ({ name, help, label }: MetricDefinition) => ({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
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
          each(definition, (labels, value) => this.inc(labels, value));
        },
      });
    },
    gauge(definition) {
      new Gauge({
        ...shape(definition),
        collect() {
          this.reset();
          if (definition.label === undefined) this.remove();
          each(definition, (labels, value) => this.set(labels, value));
        },
      });
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function each({ read, label }: MetricDefinition, use: (labels: Record<string, string>, value: number) => void): void {
  const reading = read();
  if (reading === undefined) return;
  if (typeof reading === 'number') {
    use({}, reading);
    return;
  }
  if (label === undefined) throw new TypeError('a reading by label needs a label name');
  for (const [value, figure] of Object.entries(reading)) use({ [label]: value }, figure);
}
