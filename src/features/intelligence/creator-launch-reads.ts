import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineQuery } from '../../store/query.ts';

const launches = defineQuery({
  sql: new URL('./creator-launches.sql', import.meta.url),
  params: Type.Object({ creator: Type.String(), mint: Type.String(), mark: Type.Integer(), most: Type.Integer() }),
  row: Type.Object({ launches: Type.Integer() }),
});

/** Tokens that `creator` launched besides `mint`, counted no further than `most`. */
export async function countOtherLaunches(
  client: StoreClient,
  { creator, mint }: { readonly creator: Address; readonly mint: Address },
  mark: number,
  most: number,
): Promise<number> {
  const [row] = await launches(client, { creator, mint, mark, most });
  return row?.launches ?? 0;
}
