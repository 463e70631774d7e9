import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  it('reads figures at the scrape, by label where there is one', async () => {
    const metrics = createMetrics();
    let swaps = 1;
    metrics.counter({ name: 'facts_total', help: 'Facts.', label: 'kind', read: () => ({ swaps, attempts: 2 }) });
    metrics.gauge({ name: 'lag_ms', help: 'Lag.', read: () => 7 });
    swaps = 5;
    const text = await metrics.text();
    expect(text).toContain('facts_total{kind="swaps"} 5');
    expect(text).toContain('facts_total{kind="attempts"} 2');
    expect(text).toContain('lag_ms 7');
    expect(await metrics.text()).toContain('facts_total{kind="swaps"} 5');
  });

  it('leaves out what is not known', async () => {
    const metrics = createMetrics();
    metrics.gauge({ name: 'lag_ms', help: 'Lag.', read: () => undefined });
    expect(await metrics.text()).not.toMatch(/^lag_ms \d/m);
  });

  it('two sets of metrics do not meet', async () => {
    createMetrics().gauge({ name: 'lag_ms', help: 'Lag.', read: () => 1 });
    expect(() => createMetrics().gauge({ name: 'lag_ms', help: 'Lag.', read: () => 1 })).not.toThrow();
  });
});
