import type { Metrics } from '../kernel/metrics.ts';
import type { Market } from './market.ts';

/** Adds what windows over the market hold, how long they took to warm, and what they still have to read again. */
export function addMarketMetrics(metrics: Metrics, market: Market): void {
  metrics.gauge({
    name: 'mintscope_market_bytes',
    help: 'About what windows over the market hold in memory.',
    read: () => market.windows?.bytes,
  });
  metrics.gauge({
    name: 'mintscope_market_series',
    help: 'Tokens that windows tell of, one for each quote.',
    read: () => market.windows?.book.size,
  });
  metrics.gauge({
    name: 'mintscope_market_warm_ms',
    help: 'Time that the windows took to be read from the store.',
    read: () => market.warmMs,
  });
  metrics.gauge({
    name: 'mintscope_market_stale_spans',
    help: 'Runs of slots that came late, and minutes and hours of them, that are to be read again.',
    read: () => market.staleSpans,
  });
}
