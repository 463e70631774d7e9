import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineRowQuery } from '../../store/query.ts';

const POSITION_SUMS = {
  name: 'position_sums',
  columns: {
    /** That ever traded. */
    wallets: 'u32',
    /** With a positive balance, by trades and unexplained deltas. */
    holders: 'u32',
    /** Of which more left than was seen to arrive. */
    unknown: 'u32',
    /** Raw units of all of them, of the ten largest, of the 25 largest. */
    held: 'i128',
    top10: 'i128',
    top25: 'i128',
    buyers: 'u32',
    sellers: 'u32',
    /** Lamports, net of fees: what was traded in another quote is not in it. */
    buy_sol: 'i128',
    sell_sol: 'i128',
    /** Unix seconds of the first trade; 0 without one. */
    first_time: 'u32',
    /** Slot of the newest trade or movement: they hold no later one. 0 without one. */
    newest: 'u32',
  },
} as const;

export type PositionSums = RowOf<typeof POSITION_SUMS>;

const sums = defineRowQuery({
  sql: new URL('./position-sums.sql', import.meta.url),
  params: Type.Object({ mint: Type.String(), venues: Type.Array(Type.String()) }),
  layout: POSITION_SUMS,
});

/** Sums over all wallets of a mint, without those of `venues`: curves and pools hold reserves, not shares. */
export async function readPositionSums(
  client: StoreClient,
  mint: Address,
  venues: readonly Address[],
): Promise<PositionSums> {
  const [row] = await sums(client, { mint, venues: [...venues] });
  return row!;
}
