import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { SWAPS } from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';
import type { RowPlace } from './place-rules.ts';

/** A wallet and a slot in which it traded. */
export interface TradeSlot {
  readonly wallet: Address;
  readonly slot: number;
}

const tied = defineRowQuery({
  sql: new URL('./swaps-tied.sql', import.meta.url),
  params: Type.Object({
    mint: Type.String(),
    wallets: Type.Array(Type.String()),
    slots: Type.Array(Type.Integer()),
    limit: Type.Integer(),
  }),
  layout: columnsOf(SWAPS, 'trader', 'slot', 'block_index', 'ix_index', 'signature', 'partial'),
});

/**
 * Places of the first swaps of wallets in their slots, one slot for each wallet. Asked only where something else of
 * the wallet lies in the same slot, so that the slot alone does not tell which came first.
 */
export async function readTiedSwaps(
  client: StoreClient,
  mint: Address,
  trades: readonly TradeSlot[],
): Promise<ReadonlyMap<Address, RowPlace>> {
  if (trades.length === 0) return new Map();
  const rows = await tied(client, {
    mint,
    wallets: trades.map(({ wallet }) => wallet),
    slots: trades.map(({ slot }) => slot),
    limit: trades.length,
  });
  return new Map(rows.map((row) => [row.trader, row]));
}
