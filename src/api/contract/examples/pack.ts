import { activityExample, candleExample, swapExample, tokenExample } from './tokens.ts';

/** A pack of which one part could not be told. */
export const packExample = {
  mint: tokenExample.mint,
  ok: 4,
  failed: 1,
  cost: 18,
  parts: {
    token: tokenExample,
    activity: activityExample,
    swaps: { data: [swapExample], next_cursor: '2026-08-01T10:00:00.651230001234000017Z' },
    candles: { data: [candleExample] },
  },
  errors: { holders: { code: 'query_timeout', message: 'this part took too long' } },
};
