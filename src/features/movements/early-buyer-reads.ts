import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineRowQuery } from '../../store/query.ts';

/** Swaps gone through for early buyers: what comes behind so many is not early. */
const EARLY_SWAPS = 20_000;

const EARLY_BUYERS = {
  name: 'early_buyers',
  columns: {
    wallet: 'account',
    /** Of its first buy. */
    slot: 'u32',
  },
} as const;

export type EarlyBuyerRow = RowOf<typeof EARLY_BUYERS>;

const early = defineRowQuery({
  sql: new URL('./early-buyers.sql', import.meta.url),
  params: Type.Object({
    mint: Type.String(),
    mark: Type.Integer(),
    creator: Type.String(),
    swaps: Type.Integer(),
    limit: Type.Integer(),
  }),
  layout: EARLY_BUYERS,
});

/** The first `limit` wallets that bought a mint, without its creator and the protocol's own, in order of their first buys. */
export function readEarlyBuyers(
  client: StoreClient,
  mint: Address,
  creator: Address | undefined,
  mark: number,
  limit: number,
): Promise<EarlyBuyerRow[]> {
  return early(client, { mint, mark, creator: creator ?? '', swaps: EARLY_SWAPS, limit });
}
