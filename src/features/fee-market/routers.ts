import { jsonBody, timeText } from '../../books/json-text.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { UnbrokenReader, WholeSince } from '../../token/history.ts';
import { ROUTER_SINCE } from '../../token/row-json.ts';
import { ROUTERS_KNOWN_SINCE, type RouterFlow, type VenueWord } from './contract-routers.ts';
import { FEE_WINDOWS, type FeeWindowName } from './contract-windows.ts';
import { readReverted, readRouterSums, readSketchedTraders, readTraders } from './routers-reads.ts';
import { flowLamports, rankRouters, routerRow } from './routers-rules.ts';
import { readRoutersSince } from './routers-since.ts';
import { readFeeSpan } from './window-span.ts';

export interface RoutersDeps {
  readonly client: StoreClient;
  readonly feed: Pick<Feed, 'committedSlot'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly unbroken: UnbrokenReader;
  readonly wholeSince: WholeSince;
  readonly solUsd: () => number | undefined;
}

export interface RoutersFilter {
  readonly window: FeeWindowName;
  /** Undefined for all. */
  readonly venue: VenueWord | undefined;
}

/**
 * What swaps of a window went through, out of the store, as it stands at one slot.
 *
 * @throws {ApiError} `warming_up` while there is no block.
 */
export async function routersBody(deps: RoutersDeps, filter: RoutersFilter): Promise<Buffer> {
  const { client, feed, clock } = deps;
  const { window, venue } = filter;
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const [slots, kept] = await Promise.all([deps.unbroken(), deps.wholeSince()]);
  const since = await readRoutersSince(client, { slots, kept, ofFacts: FEE_WINDOWS[window].toTheSecond });
  const mark = feed.committedSlot;
  const wall = Math.floor(clock.now() / 1_000);
  const span = await readFeeSpan(client, { mark, wall, least: ROUTER_SINCE }, window);
  if (span === undefined) throw new ApiError('warming_up', { message: 'there is no block yet' });
  const sums = await readRouterSums(client, span, filter);
  const solUsd = deps.solUsd();
  const ranked = rankRouters(sums, solUsd);
  const shown = { venue, routers: ranked.map(({ router }) => router) };
  const from = span.from.time;
  // Where both begin late, what reverted is of the same time as what landed.
  const isKnown = (since.reverted ?? 0) <= Math.max(from, since.landed ?? 0);
  const [reverted, traders] = await Promise.all([
    isKnown ? readReverted(client, span, shown) : undefined,
    (FEE_WINDOWS[window].toTheSecond ? readTraders : readSketchedTraders)(client, span, shown),
  ]);
  const volume = flowLamports(sums.all, solUsd);
  const flow: Written<RouterFlow> = {
    ...{ window, swaps: Number(sums.all.swaps), volume: volume.toString() },
    data: ranked.map((each) => routerRow(each, { volume, reverted, traders })),
    since: ROUTERS_KNOWN_SINCE,
    whole_since: since.landed !== undefined && since.landed > from ? timeText(since.landed) : undefined,
  };
  return stampBody(jsonBody(flow), mark);
}
