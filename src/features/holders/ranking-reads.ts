import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { POSITIONS } from '../../store/clickhouse/schema/tables.ts';
import { defineRowQuery } from '../../store/query.ts';

const RANKED_POSITIONS = {
  name: 'traders_ranked',
  columns: { ...POSITIONS.columns, place: 'u32', mint_newest: 'u32' },
} as const;

/** A position, the place of its wallet in the order, from 1, and the newest slot of all positions of the mint. */
export type RankedPositionRow = RowOf<typeof RANKED_POSITIONS>;

const ranked = defineRowQuery({
  sql: new URL('./traders-ranked.sql', import.meta.url),
  params: Type.Object({
    mint: Type.String(),
    own: Type.String(),
    sort: Type.String(),
    wallets: Type.Integer(),
  }),
  layout: RANKED_POSITIONS,
});

export interface TraderRanking {
  /** Profits; what was paid and got, or only paid, in the token's own quote; trades. */
  readonly sort: 'realized' | 'volume' | 'bought' | 'trades';
  /** The token's own quote, '' for SOL. */
  readonly own: Address | '';
  readonly wallets: number;
}

/** Positions of the wallets that come first, by place, in all quotes of each. */
export function readRankedTraders(
  client: StoreClient,
  mint: Address,
  { sort, own, wallets }: TraderRanking,
): Promise<readonly RankedPositionRow[]> {
  return ranked(client, { mint, sort, own, wallets });
}
