import { countersExample } from './intelligence.ts';
import { launchExample } from './launch.ts';
import { fundingClustersExample } from './movements.ts';
import { activityExample, candleExample, holderExample, swapExample, tokenExample } from './tokens.ts';

/** A pack of which one part could not be told. */
export const packExample = {
  mint: tokenExample.mint,
  ok: 8,
  failed: 1,
  cost: 36,
  parts: {
    token: tokenExample,
    activity: activityExample,
    swaps: { data: [swapExample], next_cursor: '2026-08-01T10:00:00.651230001234000017Z' },
    candles: { data: [candleExample] },
    holders: { data: [holderExample] },
    counters: countersExample,
    launch: launchExample,
    funding_clusters: fundingClustersExample,
  },
  errors: { intelligence: { code: 'query_timeout', message: 'this part took too long' } },
};
