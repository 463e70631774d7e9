import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { FUNDINGS } from '../../store/clickhouse/schema/tables.ts';
import { defineRowQuery } from '../../store/query.ts';

const { columns } = FUNDINGS;

const FIRST_FUNDINGS = {
  name: 'first_fundings',
  columns: {
    wallet: columns.wallet,
    slot: columns.slot,
    /** 0 where the funding was looked up: nodes do not tell it. */
    block_index: columns.block_index,
    ix_index: columns.ix_index,
    time: columns.time,
    signature: columns.signature,
    funder: columns.funder,
    amount: columns.amount,
    created_account: columns.created_account,
    /** Out of the wallet's own history instead of our blocks. */
    looked_up: 'bool',
  },
} as const;

export type FirstFundingRow = RowOf<typeof FIRST_FUNDINGS>;

const first = defineRowQuery({
  sql: new URL('./fundings-first.sql', import.meta.url),
  params: Type.Object({ wallets: Type.Array(Type.String()), mark: Type.Integer() }),
  layout: FIRST_FUNDINGS,
});

/**
 * The first known funding of wallets, those without one left out. The first is picked here
 * and not where fundings are stored: a block that comes late may hold an earlier one.
 * A row with `created_account` false tells that the wallet is older than what is known.
 */
export async function readFirstFundings(
  client: StoreClient,
  wallets: readonly Address[],
  mark: number,
): Promise<ReadonlyMap<Address, FirstFundingRow>> {
  if (wallets.length === 0) return new Map();
  const rows = await first(client, { wallets: [...wallets], mark });
  return new Map(rows.map((row) => [row.wallet as Address, row]));
}
