import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { firstSlotOf, MINUTE_S, minuteOf, readChainTime } from '../../token/chain-time-reads.ts';
import { ECOSYSTEM_WINDOWS, type EcosystemWindow } from './contract-limits.ts';

const slots = defineQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-slots.sql', import.meta.url),
  params: Type.Object({
    window: Type.Integer(),
    hour: Type.Integer(),
    launches: Type.Integer(),
    running: Type.Integer(),
    from_slot: Type.Integer(),
    mark: Type.Integer(),
  }),
  row: Type.Object({
    window_slot: Type.Integer(),
    hour_slot: Type.Integer(),
    launches_slot: Type.Integer(),
    running_slot: Type.Integer(),
  }),
});

/** Whole hours of a rollup, and where what follows begins. */
interface HourSpan {
  readonly from: number;
  readonly until: number;
  readonly untilSlot: number;
}

/** What a report is of: times in Unix seconds, and the first slots that are no older. */
export interface ReportSpan {
  /** Newest slot that it tells of. */
  readonly mark: number;
  /** What time it is on the chain. */
  readonly now: number;
  readonly from: number;
  readonly fromSlot: number;
  readonly firstWholeMinute: number;
  readonly runningMinute: number;
  readonly runningSlot: number;
  /** An hour ago, to the second. */
  readonly hour: number;
  readonly hourSlot: number;
  readonly launchesSlot: number;
  readonly launches: number;
  /** What rollups by the hour have of it: none of a window of an hour. */
  readonly hours: HourSpan;
}

const HOUR_S = 3_600;

/**
 * The window that ends with the time of the chain at slot `mark`; undefined while there is no block. `wall`: Unix seconds by
 * the clock on the wall.
 */
export async function readSpan(
  client: StoreClient,
  { mark, wall }: { readonly mark: number; readonly wall: number },
  window: EcosystemWindow,
): Promise<ReportSpan | undefined> {
  const newest = await readChainTime(client, mark, wall);
  if (newest === undefined) return undefined;
  const { now, slot } = newest;
  const { seconds, toTheSecond, launches } = ECOSYSTEM_WINDOWS[window];
  const begin = Math.max(0, now - seconds);
  const from = toTheSecond ? begin : minuteOf(begin);
  const hour = Math.max(0, now - HOUR_S);
  const since = Math.max(0, now - launches);
  const runningMinute = minuteOf(now);
  const [found] = await slots(client, {
    ...{ window: from, hour, launches: since, running: runningMinute },
    ...{ from_slot: firstSlotOf(slot, seconds + MINUTE_S), mark },
  });
  const { window_slot, hour_slot, launches_slot, running_slot } = found!;
  const runningHour = now - (now % HOUR_S);
  return {
    ...{ mark, now, from, fromSlot: window_slot, hour, hourSlot: hour_slot },
    firstWholeMinute: minuteOf(from + MINUTE_S - 1),
    runningMinute,
    runningSlot: running_slot,
    launches: since,
    launchesSlot: launches_slot,
    hours: toTheSecond
      ? { from, until: from, untilSlot: window_slot }
      : { from: from - (from % HOUR_S), until: runningHour, untilSlot: hour_slot },
  };
}
