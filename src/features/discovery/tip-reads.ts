import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { firstSlotOf, MINUTE_S, minuteOf, readChainTime } from '../../token/chain-time-reads.ts';
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
    now: Type.Integer(),
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

/**
 * Tips by wallet in the window that ends with the time of the chain at slot `mark`; undefined while there is no block.
 * `wall`: Unix seconds by the clock on the wall.
 */
export async function readTips(
  client: StoreClient,
  mark: number,
  { seconds, toTheSecond }: TipWindow,
  wall: number,
): Promise<TipRows | undefined> {
  const chain = await readChainTime(client, mark, wall);
  if (chain === undefined) return undefined;
  const begin = Math.max(0, chain.now - seconds);
  const from = toTheSecond ? begin : minuteOf(begin);
  const wallets = await tips(client, {
    mark,
    from,
    from_slot: firstSlotOf(chain.slot, seconds + MINUTE_S),
    whole_from: minuteOf(from + MINUTE_S - 1),
    running: minuteOf(chain.now),
    now: chain.now,
  });
  return { wallets, from };
}
