import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowQuery } from '../store/query.ts';

/** Anybody can make pools of a token: those past this many are nobody's concern. */
const MOST_POOLS = 200;

const pools = defineRowQuery({
  sql: new URL('./mint-pools.sql', import.meta.url),
  params: Type.Object({ mint: Type.String(), most: Type.Integer() }),
  layout: { name: 'mint_pools', columns: { pool: 'address' } },
});

/** Pools of a mint, those it graduated to first, 200 at most. */
export async function readMintPools(client: StoreClient, mint: Address): Promise<Address[]> {
  const rows = await pools(client, { mint, most: MOST_POOLS });
  return rows.flatMap(({ pool }) => (pool === '' ? [] : [pool]));
}
