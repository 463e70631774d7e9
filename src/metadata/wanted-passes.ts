import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { decodeRows } from '../store/clickhouse/schema/row-codec.ts';
import { TOKEN_CREATIONS } from '../store/clickhouse/schema/tables.ts';
import type { MetadataCollector } from './collector.ts';
import { findCreatedUris, findHydratedUris, type WantedUri } from './uris-wanted.ts';

/** Tokens of one look into the store, newest first: all of them may be wanted, so that those which nobody answers hide no others. */
const WINDOW = 5_000;
/** Windows that the look through everything goes back. */
const MAX_WINDOWS = 20;
const PASS_EVERY_MS = 30_000;
const WHOLE_PASS_EVERY_MS = 600_000;
/** Handed over in one go: others get their turn between. */
const AT_ONCE = 500;
/** Rows that were written while the pass before was reading. */
const OVERLAP_S = 60;

/** Every creation that the feed carries is wanted at once. Returns the way to stop. */
export function followCreations(feed: Feed, want: MetadataCollector['want']): () => void {
  return feed.subscribe({
    batch({ tables }) {
      const created = tables.get(TOKEN_CREATIONS.name);
      if (created === undefined) return;
      for (const { mint, uri } of decodeRows(TOKEN_CREATIONS, created.bytes)) {
        want({ mint, uri, tries: 0 });
      }
    },
    // The same token comes in the other fork, or its document is of no use to anybody.
    withdrawn() {},
    changed() {},
  });
}

export interface WantedPassesDeps {
  readonly client: StoreClient;
  readonly collector: Pick<MetadataCollector, 'want' | 'hasRoom'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Looks into the store for tokens whose documents were not read: those of before
 * our time, of filled holes, and what a stop or a full queue left undone. The
 * newest ones come first, and what does not fit waits for the next look.
 */
export async function runWantedPasses(
  { client, collector, clock, log }: WantedPassesDeps,
  signal: AbortSignal,
): Promise<void> {
  async function wantAll(found: readonly WantedUri[]): Promise<void> {
    for (const [at, each] of found.entries()) {
      if (signal.aborted) return;
      if (at % AT_ONCE === AT_ONCE - 1) await clock.sleep(0, signal);
      collector.want(each, 'later');
    }
  }

  let wholeAt = Number.NEGATIVE_INFINITY;
  let hydratedSince = 0;
  while (!signal.aborted) {
    const started = clock.elapsed();
    const isWhole = started - wholeAt >= WHOLE_PASS_EVERY_MS;
    const now = Math.floor(clock.now() / 1_000);
    const look = { window: WINDOW, now, limit: WINDOW };
    try {
      for (let at = 0; at < (isWhole ? MAX_WINDOWS : 1) && !signal.aborted && collector.hasRoom(); at += 1) {
        for (const each of await findCreatedUris(client, { ...look, offset: at * WINDOW }))
          collector.want(each, 'later');
      }
      const since = isWhole ? 0 : hydratedSince;
      await wantAll(await findHydratedUris(client, { ...look, since }));
      hydratedSince = now - OVERLAP_S;
      if (isWhole && collector.hasRoom()) wholeAt = started;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: String(error) }, 'tokens without metadata could not be looked up; tried again later');
    }
    await clock.sleep(PASS_EVERY_MS, signal);
  }
}
