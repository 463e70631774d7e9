import type { Health } from '../api/contract/resources/system.ts';
import type { Feed } from '../feed/feed.ts';
import type { IngestThread } from '../ingest/thread.ts';

/** Behind by more than this, answers are still given but called degraded. */
const DEGRADED_LAG_MS = 30_000;

export interface HealthView {
  readonly health: () => Health;
  /** Age of the newest indexed block, milliseconds; undefined while unknown. */
  readonly dataLagMs: () => number | undefined;
}

/** How the service is, from what ingest tells and what the feed has carried. */
export function createHealth({ ingest, feed }: { readonly ingest: IngestThread; readonly feed: Feed }): HealthView {
  return {
    health() {
      const { source, ended, lagMs } = ingest.stats();
      const base = {
        source,
        ...(feed.headSlot > 0 ? { indexed_slot: feed.headSlot } : {}),
        ...(lagMs === undefined ? {} : { lag_ms: Math.round(lagMs) }),
      };
      if (ended) return { ...base, status: 'ok', reason: 'the source has come to its end' };
      if (feed.headSlot === 0) return { ...base, status: 'starting', reason: 'no block has come yet' };
      if (lagMs !== undefined && lagMs > DEGRADED_LAG_MS) {
        return { ...base, status: 'degraded', reason: 'blocks are behind the clock' };
      }
      return { ...base, status: 'ok' };
    },
    dataLagMs: () => ingest.stats().lagMs,
  };
}
