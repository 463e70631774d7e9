import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { CREATOR_CHANGES } from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';
import { withLearntDecimals } from '../../token/hydrated-reads.ts';

/** Units times recipients. A token has a few of each; what anybody makes beyond is left out, the smallest first. */
const MAX_SUMS = 1_000;
/** Changes of the fee creator told of. */
const MAX_CHANGES = 100;

const params = Type.Object({ mint: Type.String(), mark: Type.Integer(), limit: Type.Integer() });

const earnedLayout = {
  name: 'creator_fee_sums',
  columns: {
    quote_mint: 'address',
    fee_in_token: 'bool',
    fee_creator: 'address',
    quote_decimals: 'u8',
    earned: 'i128',
    swaps: 'u32',
  },
} as const;

const earned = defineRowQuery({
  sql: new URL('./creator-fee-sums.sql', import.meta.url),
  params,
  layout: earnedLayout,
});

const paidLayout = {
  name: 'creator_payouts',
  columns: { quote_mint: 'address', recipient: 'account', paid: 'i128', payouts: 'u32', last_time: 'u32' },
} as const;

const paid = defineRowQuery({
  sql: new URL('./creator-payouts.sql', import.meta.url),
  params,
  layout: paidLayout,
});

const changeLayout = columnsOf(CREATOR_CHANGES, 'slot', 'time', 'previous', 'creator', 'reason');

const changes = defineRowQuery({
  sql: new URL('./creator-changes.sql', import.meta.url),
  params,
  layout: changeLayout,
});

export type EarnedFeesRow = RowOf<typeof earnedLayout>;
export type PaidFeesRow = RowOf<typeof paidLayout>;
export type FeeCreatorChangeRow = RowOf<typeof changeLayout>;

/** Sums of a token's creator fees, and the changes of who earns them. */
export interface CreatorFeeFacts {
  /** By unit and earner, the largest first. */
  readonly earned: readonly EarnedFeesRow[];
  /** By quote and recipient, the largest first. */
  readonly paid: readonly PaidFeesRow[];
  /** Newest first. */
  readonly changes: readonly FeeCreatorChangeRow[];
}

export async function readCreatorFees(client: StoreClient, mint: Address, mark: number): Promise<CreatorFeeFacts> {
  const [fees, payouts, history] = await Promise.all([
    earned(client, { mint, mark, limit: MAX_SUMS }).then((rows) => withLearntDecimals(client, rows, () => mint)),
    paid(client, { mint, mark, limit: MAX_SUMS }),
    changes(client, { mint, mark, limit: MAX_CHANGES }),
  ]);
  return { earned: fees, paid: payouts, changes: history };
}
