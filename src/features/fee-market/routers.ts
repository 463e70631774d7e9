import { jsonBody, timeText } from '../../books/json-text.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { firstSlotOf } from '../../token/chain-time-reads.ts';
import type { UnbrokenReader, WholeSince } from '../../token/history.ts';
import { ROUTER_SINCE } from '../../token/row-json.ts';
import { ROUTERS_KNOWN_SINCE, type RouterFlow, type VenueWord } from './contract-routers.ts';
import { FEE_WINDOWS, type FeeWindowName } from './contract-windows.ts';
import { knowsReverted } from './landing-frame.ts';
import type { LandingReads } from './landing-reads.ts';
import { readReverted, readRouterSums, readSketchedTraders, readTraders } from './routers-reads.ts';
import { flowLamports, rankRouters, routerRow } from './routers-rules.ts';
import { type RoutersSince, readRoutersSince } from './routers-since.ts';
import { type FeeSpan, readFeeSpan } from './window-span.ts';

export interface RoutersDeps {
  readonly client: StoreClient;
  readonly feed: Pick<Feed, 'committedSlot'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly unbroken: UnbrokenReader;
  readonly wholeSince: WholeSince;
  readonly solUsd: () => number | undefined;
  readonly blocks: LandingReads['blocks'];
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
  const [reverted, traders] = await Promise.all([
    isOfOneTime(since, from) && (await tellsReverted(deps.blocks, span, venue))
      ? readReverted(client, span, shown)
      : undefined,
    (FEE_WINDOWS[window].toTheSecond ? readTraders : readSketchedTraders)(client, span, shown),
  ]);
  const volume = flowLamports(sums.all, solUsd);
  // While it is not known, nothing is known to be there.
  const wholeSince = since.landed ?? span.now;
  const flow: Written<RouterFlow> = {
    ...{ window, swaps: Number(sums.all.swaps), volume: volume?.toString() },
    data: ranked.map((each) => routerRow(each, { volume, reverted, traders })),
    since: ROUTERS_KNOWN_SINCE,
    whole_since: wholeSince > from ? timeText(wholeSince) : undefined,
  };
  return stampBody(jsonBody(flow), mark);
}

/** Whether what landed and what reverted is there of the same time: all of the window, or since the same hole. */
function isOfOneTime({ landed, reverted }: RoutersSince, from: number): boolean {
  if (landed === undefined || reverted === undefined) return false;
  return landed === reverted || Math.max(landed, reverted) <= from;
}

/** Seconds before the end of a window in which its source is looked at. */
const TELLING_S = 3_600;

/** Reverted trades of equities cannot be told from other transactions, and some sources leave out whatever failed. */
async function tellsReverted(blocks: LandingReads['blocks'], span: FeeSpan, venue: VenueWord | undefined) {
  if (venue === '2') return false;
  const since = Math.max(span.from.time, span.now - TELLING_S);
  const slots = { from: firstSlotOf(span.mark, TELLING_S), mark: span.mark };
  return knowsReverted({ minutes: await blocks(slots, since, span.now) });
}
