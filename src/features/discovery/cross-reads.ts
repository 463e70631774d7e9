import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineRowQuery } from '../../store/query.ts';

const PAIRS = { name: 'cross_pairs', columns: { mint: 'account', wallet: 'account' } } as const;

export type PairRow = RowOf<typeof PAIRS>;

const pairs = defineRowQuery({
  sql: new URL('./cross-pairs.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()), wallets: Type.Array(Type.String()), mark: Type.Integer() }),
  layout: PAIRS,
});

/** Pairs of some mints and wallets that had a position at slot `mark`, in no order. */
export function readPairs(
  client: StoreClient,
  mints: readonly Address[],
  wallets: readonly Address[],
  mark: number,
): Promise<readonly PairRow[]> {
  return pairs(client, { mints: [...mints], wallets: [...wallets], mark });
}
