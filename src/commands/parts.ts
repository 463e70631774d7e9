import type { Alarm } from '../kernel/alarms.ts';
import { createMetrics, type Metrics } from '../kernel/metrics.ts';
import type { Shutdown } from '../kernel/shutdown.ts';

/** A part of the service that runs. What it answers is handed to the routes beside this. */
export interface Part {
  /** Names it in the log. */
  readonly name: string;
  /** Adds its figures to `/metrics`; docs/monitoring.md says what each of them means. */
  readonly addMetrics?: (metrics: Metrics) => void;
  /** Alarms that it has now, for `/health`. */
  readonly alarms?: () => readonly Alarm[];
  readonly stop?: () => Promise<void> | void;
}

/** The parts of a service, in the order in which they were opened. */
export interface Parts {
  open(part: Part): void;
  /** Of all that are open. */
  alarms(): readonly Alarm[];
  /** Of this process, and of all that are open. */
  metrics(): Metrics;
}

/** A part is stopped before those that were opened before it: these may be what it stands on. */
export function createParts(shutdown: Pick<Shutdown, 'add'>): Parts {
  const parts: Part[] = [];
  return {
    open(part) {
      parts.push(part);
      if (part.stop !== undefined) shutdown.add(part.name, part.stop);
    },
    alarms: () => parts.flatMap(({ alarms }) => alarms?.() ?? []),
    metrics() {
      const metrics = createMetrics();
      for (const { addMetrics } of parts) addMetrics?.(metrics);
      return metrics;
    },
  };
}
