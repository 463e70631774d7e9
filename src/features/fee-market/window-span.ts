import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { firstSlotOf, MINUTE_S, minuteOf, readChainTime } from '../../token/chain-time-reads.ts';
import { FEE_WINDOWS, type FeeWindowName } from './contract-windows.ts';

const slots = defineQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./fee-market-slots.sql', import.meta.url),
  params: Type.Object({
    times: Type.Array(Type.Integer()),
    begin: Type.Integer(),
    end: Type.Integer(),
    from_slot: Type.Integer(),
    mark: Type.Integer(),
  }),
  row: Type.Object({ begins: Type.Array(Type.Integer()), last_before: Type.Integer() }),
});

/** Where a part of a window begins that is read out of facts: Unix seconds, and the first slot that may be no older. */
export interface Edge {
  readonly time: number;
  readonly slot: number;
}

/** What a report is of. What lies between its edges is read out of rollups; of a short window there is nothing. */
export interface FeeSpan {
  /** Newest slot that it tells of. */
  readonly mark: number;
  /** What time it is on the chain. */
  readonly now: number;
  readonly from: Edge;
  /** Of windows that begin at a second the same as `from`. */
  readonly minute: Edge;
  readonly quarter: Edge;
  readonly hour: Edge;
  /** The first whole quarter of an hour, and the last slot before it that is in the window. */
  readonly firstQuarter: number;
  readonly lastBefore: number;
}

const QUARTER_S = 900;
const HOUR_S = 3_600;

/**
 * The window that ends with the time of the chain at slot `mark`, and begins no earlier than `least`; undefined while there
 * is no block. `wall`: Unix seconds by the clock on the wall.
 */
export async function readFeeSpan(
  client: StoreClient,
  { mark, wall, least = 0 }: { readonly mark: number; readonly wall: number; readonly least?: number },
  window: FeeWindowName,
): Promise<FeeSpan | undefined> {
  const newest = await readChainTime(client, mark, wall);
  if (newest === undefined) return undefined;
  const { now, slot } = newest;
  const { seconds, toTheSecond } = FEE_WINDOWS[window];
  const begin = Math.max(least, now - seconds);
  const from = toTheSecond ? begin : minuteOf(begin);
  const running = (width: number) => (toTheSecond ? from : Math.max(from, now - (now % width)));
  const times = [from, running(MINUTE_S), running(QUARTER_S), running(HOUR_S)];
  const firstQuarter = toTheSecond
    ? from
    : Math.min(running(QUARTER_S), from + QUARTER_S - 1 - ((from + QUARTER_S - 1) % QUARTER_S));
  const [found] = await slots(client, {
    ...{ times, begin: from, end: firstQuarter },
    ...{ from_slot: firstSlotOf(slot, seconds + MINUTE_S), mark },
  });
  const edge = (place: number): Edge => ({ time: times[place]!, slot: found!.begins[place] ?? mark + 1 });
  return {
    ...{ mark, now, from: edge(0), minute: edge(1), quarter: edge(2), hour: edge(3) },
    ...{ firstQuarter, lastBefore: found!.last_before },
  };
}
