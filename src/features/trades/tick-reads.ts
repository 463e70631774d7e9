import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { SWAPS, type SwapRow } from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';
import type { PlaceColumns } from '../../token/facts.ts';
import { withLearntDecimals } from '../../token/hydrated-reads.ts';
import type { PricingSwaps } from './pricing-swaps.ts';

const params = Type.Object({
  mint: Type.String(),
  quote: Type.String(),
  pool: Type.String(),
  mark: Type.Integer(),
  unbounded: Type.Boolean(),
  slot: Type.Integer(),
  block_index: Type.Integer(),
  ix_index: Type.Integer(),
  limit: Type.Integer(),
});

const layout = columnsOf(
  SWAPS,
  'slot',
  'block_index',
  'ix_index',
  'time',
  'venue',
  'trader',
  'is_buy',
  'quote_mint',
  'quote_decimals',
  'token_decimals',
  'quote_amount',
  'price_quote',
  'price_token',
);

const before = defineRowQuery({ sql: new URL('./ticks-before.sql', import.meta.url), params, layout });
const after = defineRowQuery({ sql: new URL('./ticks-after.sql', import.meta.url), params, layout });

const NO_POSITION = { slot: 0, block_index: 0, ix_index: 0 };
const MAX_SLOT = 2 ** 32 - 1;
const MAX_IX_INDEX = 2 ** 16 - 1;

/** Pricing swaps of a token, in the window's order. */
export async function readTicks(
  client: StoreClient,
  mint: Address,
  mark: number,
  { quote, pool, order, limit, cursor }: TickWindow,
): Promise<readonly TickRow[]> {
  const run = order === 'desc' ? before : after;
  const { slot, block_index, ix_index } = cursor ?? NO_POSITION;
  const rows = await run(client, {
    mint,
    quote,
    pool,
    mark,
    limit,
    unbounded: cursor === undefined,
    // A made-up cursor may name a place that no row can have.
    slot: Math.min(slot, MAX_SLOT),
    block_index: Math.min(block_index, MAX_SLOT),
    ix_index: Math.min(ix_index, MAX_IX_INDEX),
  });
  return withLearntDecimals(client, rows, () => mint);
}

export type TickRow = Pick<
  SwapRow,
  | PlaceColumns
  | 'venue'
  | 'trader'
  | 'is_buy'
  | 'quote_mint'
  | 'quote_decimals'
  | 'token_decimals'
  | 'quote_amount'
  | 'price_quote'
  | 'price_token'
>;

export interface TickWindow extends PricingSwaps {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Swaps strictly past it, in the window's order. */
  readonly cursor: { readonly slot: number; readonly block_index: number; readonly ix_index: number } | undefined;
}
