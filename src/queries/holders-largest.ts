import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { POSITIONS } from '../store/clickhouse/tables.ts';
import { defineRowQuery } from '../store/query.ts';
import type { HolderRow } from './token-reads.ts';

const largest = defineRowQuery({
  sql: new URL('./holders-largest.sql', import.meta.url),
  params: Type.Object({ mint: Type.String(), wallets: Type.Integer() }),
  layout: { name: 'holders_largest', columns: { ...POSITIONS.columns, mint_quotes: 'u8' } },
});

/** Positions of the wallets with the largest balances, in no order. */
export function readHolders(client: StoreClient, mint: Address, wallets: number): Promise<readonly HolderRow[]> {
  return largest(client, { mint, wallets });
}
