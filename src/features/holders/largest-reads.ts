import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { POSITIONS, type PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { defineRowQuery } from '../../store/query.ts';

const largest = defineRowQuery({
  sql: new URL('./holders-largest.sql', import.meta.url),
  params: Type.Object({ mint: Type.String(), wallets: Type.Integer() }),
  layout: { name: 'holders_largest', columns: { ...POSITIONS.columns, mint_quotes: 'u8', mint_newest: 'u32' } },
});

/** Positions of the wallets with the largest balances, in no order. */
export function readHolders(client: StoreClient, mint: Address, wallets: number): Promise<readonly HolderRow[]> {
  return largest(client, { mint, wallets });
}

/** A position, in how many quotes wallets ever traded its mint, and the newest slot of all positions of that. */
export type HolderRow = PositionRow & { readonly mint_quotes: number; readonly mint_newest: number };

/** The question who holds the most of a token. */
export interface HolderReads {
  /** Positions of the `wallets` with the largest balances, empty and negative ones included, in all quotes of each. */
  holders(mint: Address, wallets: number): Promise<readonly HolderRow[]>;
}

/** The same, asked of the store. */
export function createHolderReads(client: StoreClient): HolderReads {
  return { holders: (...question) => readHolders(client, ...question) };
}
