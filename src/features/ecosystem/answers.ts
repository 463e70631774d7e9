import { createRefreshed, itself } from '../../books/refreshed.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readForService } from '../../store/reads/reader.ts';
import { createCoverageReader, createUnbrokenReader, createWholeSince } from '../../token/history.ts';
import { createStaleReader } from '../../token/stale-reads.ts';
import { ECOSYSTEM_WINDOWS, type EcosystemWindow } from './contract-limits.ts';
import { type HistoryFilter, historyBody } from './history.ts';
import { reportBody } from './report.ts';

/** What goes on on the launchpad and its AMM, all tokens together. */
export interface EcosystemAnswers {
  report(window: EcosystemWindow): Buffer | Promise<Buffer>;
  /** One of its figures, step by step. */
  history(filter: HistoryFilter): Buffer | Promise<Buffer>;
}

export interface WarmEcosystemAnswers extends EcosystemAnswers {
  /** Makes the reports, one after the other, beside everything else. */
  warm(): void;
}

export interface EcosystemDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
}

const WINDOWS = Object.keys(ECOSYSTEM_WINDOWS) as EcosystemWindow[];
/** A report is made again when it is older, and at work for a tenth of the time at most. */
const FRESH_MS = 5_000;
const REUSE_MS = 30_000;
/** While the next one is made, one younger than this is given: nobody waits a second for figures of days. */
const AHEAD_MS = 45_000;
/** Different questions for histories that are kept: at most 30 KiB each. */
const KEPT_HISTORIES = 100;

export function createEcosystemAnswers({ client, feed, clock, log }: EcosystemDeps): WarmEcosystemAnswers {
  const ages = { freshMs: FRESH_MS, reuseMs: REUSE_MS, aheadMs: AHEAD_MS };
  const reports = createRefreshed<Buffer>({ clock, capacity: WINDOWS.length, ...ages });
  const histories = createRefreshed<Buffer>({ clock, capacity: KEPT_HISTORIES, ...ages });
  const history = {
    coverage: createCoverageReader(client, clock),
    unbroken: createUnbrokenReader(client, clock),
    wholeSince: createWholeSince(client, clock),
  };
  const deps = { client, feed, clock, ...history, isStale: createStaleReader({ client, feed }) };

  function report(window: EcosystemWindow): Buffer | Promise<Buffer> {
    return reports.with(window, () => reportBody(deps, window), itself);
  }

  return {
    report,
    history(filter) {
      const { metric, step, from, to } = filter;
      const key = `${metric} ${step} ${from} ${to}`;
      return histories.with(key, () => historyBody(deps, filter), itself);
    },
    warm() {
      const all = async () => {
        for (const window of WINDOWS) await report(window);
      };
      readForService(all).catch((error: unknown) => {
        // A store that is new has nothing to tell yet.
        if (error instanceof ApiError && error.code === 'warming_up') return;
        const err = String(error);
        log.warn({ err }, 'the ecosystem reports are not made yet; the first request for each waits');
      });
    },
  };
}
