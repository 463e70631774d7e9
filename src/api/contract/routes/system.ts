import { alarmedExample, costTableExample, healthExample, statsExample } from '../examples/system.ts';
import { FREE, flatPrice } from '../price.ts';
import { CostTable } from '../resources/cost-table.ts';
import { Health, Stats } from '../resources/system.ts';
import { defineRoute } from '../route.ts';

export const getHealth = defineRoute({
  path: '/health',
  tag: 'system',
  name: 'getHealth',
  summary: 'Whether the service is up, how far behind the chain it is, and what it misses',
  description: 'Always answers 200 while the process lives: `status` and `alarms` tell the rest.',
  access: 'public',
  price: FREE,
  response: Health,
  cacheControl: 'no-store',
  examples: { healthy: healthExample, degraded: alarmedExample },
});

export const getStats = defineRoute({
  path: '/stats',
  tag: 'system',
  name: 'getStats',
  summary: 'Sizes, rates and load of the service',
  access: 'key',
  pages: true,
  price: flatPrice(1),
  response: Stats,
  examples: { stats: statsExample },
});

export const getCosts = defineRoute({
  path: '/credits/costs',
  tag: 'credits',
  name: 'getCosts',
  summary: 'What every route costs',
  description: 'Public. Sent with an ETag: ask again with If-None-Match.',
  access: 'public',
  price: FREE,
  response: CostTable,
  cacheControl: 'public, max-age=60',
  etag: true,
  examples: { costs: costTableExample },
});
