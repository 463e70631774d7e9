import type { Feed } from '../feed/feed.ts';
import type { Unready } from '../http/probes.ts';
import type { IngestSnapshot } from '../ingest/report/ingest-snapshot.ts';

export interface ReadinessDeps {
  readonly ingest: { stats(): Pick<IngestSnapshot, 'ended' | 'lagMs'> };
  readonly feed: Pick<Feed, 'headSlot'>;
  /** True once answers out of memory stand. */
  readonly isWarm: () => boolean;
  /** Age of the newest block, milliseconds, behind which others should be asked. */
  readonly maxLagMs: number;
}

/** Tells why no requests should be sent here now. What was warm once stays so: figures that are read anew are no reason. */
export function createReadiness({ ingest, feed, isWarm, maxLagMs }: ReadinessDeps): () => Unready | undefined {
  let wasWarm = false;
  return () => {
    if (feed.headSlot === 0) return { code: 'warming_up', message: 'no block has come yet' };
    wasWarm ||= isWarm();
    if (!wasWarm) return { code: 'warming_up', message: 'figures of the market are being read' };
    const { ended, lagMs } = ingest.stats();
    // Behind the end of a file of blocks nothing is to come.
    if (ended) return undefined;
    // What the store had at the start says nothing of how old its newest block is.
    if (lagMs === undefined) return { code: 'warming_up', message: 'no block has come yet' };
    if (lagMs <= maxLagMs) return undefined;
    return { code: 'lagging', message: `the newest block is ${Math.round(lagMs / 1_000)} s old` };
  };
}
