import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { firstSlotOf, MINUTE_S, minuteOf, readNewestBlock } from '../../token/newest-block-reads.ts';
import type { TipSum } from '../../token/tip-providers.ts';

const tips = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./tips-by-wallet.sql', import.meta.url),
  params: Type.Object({
    mark: Type.Integer(),
    from: Type.Integer(),
    from_slot: Type.Integer(),
    whole_from: Type.Integer(),
    running: Type.Integer(),
  }),
  layout: {
    name: 'tips_by_wallet',
    columns: { tip_wallet: 'account', count: 'u64', repeated: 'u64', lamports: 'u64' },
  },
});

/** How far back, in seconds, and whether the window begins at a second of block time or at the minute of that. */
export interface TipWindow {
  readonly seconds: number;
  readonly toTheSecond: boolean;
}

export interface TipRows {
  readonly wallets: readonly TipSum[];
  /** Unix seconds at which the window begins. */
  readonly from: number;
}

/** Tips by wallet in the window that ends with the newest block up to slot `mark`; undefined while there is no block. */
export async function readTips(client: StoreClient, mark: number, window: TipWindow): Promise<TipRows | undefined> {
  const newest = await readNewestBlock(client, mark);
  if (newest === undefined) return undefined;
  const { seconds, toTheSecond } = window;
  const begin = Math.max(0, newest.time - seconds);
  const from = toTheSecond ? begin : minuteOf(begin);
  const wallets = await tips(client, {
    mark,
    from,
    from_slot: firstSlotOf(newest, seconds + MINUTE_S),
    whole_from: minuteOf(from + MINUTE_S - 1),
    running: minuteOf(newest.time),
  });
  return { wallets, from };
}
