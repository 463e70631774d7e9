import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { firstSlotOf, MINUTE_S, minuteOf, readChainTime } from '../../token/chain-time-reads.ts';

const COUNTS = {
  name: 'launchpad_counts',
  columns: {
    trades: 'u64',
    trades_before: 'u64',
    volume: 'i128',
    volume_before: 'i128',
    newest: 'u32',
    new_tokens: 'u32',
    new_tokens_before: 'u32',
    graduated: 'u32',
    graduated_before: 'u32',
    /** Of all swaps that are counted by minutes and tell their time; 0 without one. */
    first_minute: 'u32',
  },
} as const;

const counts = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./launchpad-counts.sql', import.meta.url),
  params: Type.Object({
    mark: Type.Integer(),
    from: Type.Integer(),
    before: Type.Integer(),
    from_slot: Type.Integer(),
    now: Type.Integer(),
  }),
  layout: COUNTS,
});

export interface LaunchpadCounts extends Omit<RowOf<typeof COUNTS>, 'newest'> {
  /** Slot of the newest swap that is counted; 0 without one. */
  readonly newest: number;
  /** Unix seconds at which the window begins, and the one before it. */
  readonly from: number;
  readonly before: number;
}

const DAY_S = 86_400;

/**
 * The day that ends with the time of the chain at slot `mark`, and the day before that; undefined while there is no block.
 * `wall`: Unix seconds by the clock on the wall.
 */
export async function readLaunchpad(
  client: StoreClient,
  mark: number,
  wall: number,
): Promise<LaunchpadCounts | undefined> {
  const chain = await readChainTime(client, mark, wall);
  if (chain === undefined) return undefined;
  const from = Math.max(0, minuteOf(chain.now) - DAY_S);
  const before = Math.max(0, from - DAY_S);
  const from_slot = firstSlotOf(chain.slot, 2 * DAY_S + MINUTE_S);
  const [row] = await counts(client, { mark, from, before, from_slot, now: chain.now });
  return row === undefined ? undefined : { ...row, from, before };
}
