import { describe, expect, it } from 'vitest';
import { createShutdown } from '../kernel/shutdown.ts';
import { createParts } from './parts.ts';

describe('the parts of a service', () => {
  it('tell their figures and alarms together, in the order in which they were opened', async () => {
    const parts = createParts(createShutdown());
    for (const name of ['store', 'feed']) {
      parts.open({
        name,
        addMetrics: (metrics) => metrics.gauge({ name: `mintscope_${name}_held`, help: name, read: () => name.length }),
        alarms: () => [{ code: `${name}_low`, since: 1, message: name }],
      });
    }
    parts.open({ name: 'quiet' });
    expect(parts.alarms().map(({ code }) => code)).toEqual(['store_low', 'feed_low']);
    const text = await parts.metrics().text();
    expect(text).toMatch(/mintscope_store_held 5\n(.*\n)*mintscope_feed_held 4\n/);
  });

  it('are told of by what is opened later, too', () => {
    const parts = createParts(createShutdown());
    const { alarms } = parts;
    parts.open({ name: 'late', alarms: () => [{ code: 'late', since: 1, message: 'late' }] });
    expect(alarms()).toHaveLength(1);
  });

  it('stop before what was opened before them', async () => {
    const shutdown = createShutdown();
    const parts = createParts(shutdown);
    const stopped: string[] = [];
    for (const name of ['store', 'answers', 'api']) parts.open({ name, stop: () => void stopped.push(name) });
    expect(await shutdown.stop(1_000)).toEqual([]);
    expect(stopped).toEqual(['api', 'answers', 'store']);
  });
});
