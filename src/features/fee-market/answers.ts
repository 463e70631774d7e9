import { createListBodies } from '../../books/list-bodies.ts';
import { createRefreshed, itself } from '../../books/refreshed.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { createUnbrokenReader, createWholeSince } from '../../token/history.ts';
import { VENUES } from './contract-routers.ts';
import { FEE_WINDOW_NAMES, type FeeWindowName } from './contract-windows.ts';
import { createLandingReads } from './landing-reads.ts';
import { type RoutersFilter, routersBody } from './routers.ts';
import { knownProvider, readTipMarket, type TipSteps, tipMarketBody } from './tip-market.ts';

/** What it costs to trade, and through what trades go. */
export interface FeeMarketAnswers {
  /** Swaps of a window by router. */
  routers(filter: RoutersFilter): Buffer | Promise<Buffer>;
  /**
   * Tips of a window by step and provider, or of one provider.
   *
   * @throws {ApiError} `invalid_param` for a provider that nobody knows.
   */
  tips(window: FeeWindowName, provider: string | undefined): Buffer | Promise<Buffer>;
}

export interface FeeMarketDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly solUsd: () => number | undefined;
}

/** A report is made again when it is older, and at work for a tenth of the time at most. */
const FRESH_MS = 5_000;
const REUSE_MS = 30_000;
/** While the next one is made, one younger than this is given. */
const AHEAD_MS = 45_000;

export function createFeeMarketAnswers({ client, feed, clock, solUsd }: FeeMarketDeps): FeeMarketAnswers {
  const ages = { freshMs: FRESH_MS, reuseMs: REUSE_MS, aheadMs: AHEAD_MS };
  const windows = FEE_WINDOW_NAMES.length;
  const routers = createRefreshed<Buffer>({ clock, capacity: windows * (VENUES.length + 1), ...ages });
  const tips = createRefreshed<TipSteps>({ clock, capacity: windows, ...ages });
  const bodies = createListBodies();
  const history = { unbroken: createUnbrokenReader(client, clock), wholeSince: createWholeSince(client, clock) };
  const deps = { client, feed, clock, ...history, blocks: createLandingReads(client).blocks };
  return {
    routers: (filter) =>
      routers.with(`${filter.window} ${filter.venue}`, () => routersBody({ ...deps, solUsd }, filter), itself),
    tips(window, provider) {
      const name = knownProvider(provider);
      return tips.with(
        window,
        () => readTipMarket(deps, window),
        (steps) => bodies.of(steps, name ?? '', () => tipMarketBody(steps, name)),
      );
    },
  };
}
