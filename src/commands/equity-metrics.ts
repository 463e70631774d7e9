import type { Metrics } from '../kernel/metrics.ts';
import type { Equities } from './equities.ts';

/** Adds metrics of those who tell of tokenized shares from outside; of whom nobody asks there is none. */
export function addEquityMetrics(metrics: Metrics, equities: Equities): void {
  const byReader = (
    read: (of: { readonly ageMs: number | undefined; readonly failed: number }) => number | undefined,
  ) => {
    const found: Record<string, number> = {};
    for (const name of ['mints', 'closes'] as const) {
      const reader = equities[name];
      const value = reader && read(reader.figures);
      if (value !== undefined) found[name] = value;
    }
    return found;
  };
  metrics.gauge({
    name: 'mintscope_equities_read_age_ms',
    help: 'Since all mints of tokenized shares were read, and since a close of a share was told, the last time.',
    label: 'of',
    read: () => byReader(({ ageMs }) => ageMs),
  });
  metrics.counter({
    name: 'mintscope_equities_failures_total',
    help: 'Questions about tokenized shares that failed.',
    label: 'of',
    read: () => byReader(({ failed }) => failed),
  });
  metrics.gauge({
    name: 'mintscope_equities_alarm',
    help: '1 for each alarm that lasts.',
    label: 'code',
    read: () => Object.fromEntries(equities.alarms().map(({ code }) => [code, 1])),
  });
}
