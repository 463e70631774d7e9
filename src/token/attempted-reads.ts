import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowQuery } from '../store/query.ts';

const attempted = defineRowQuery({
  sql: new URL('./mints-attempted.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()), mark: Type.Integer() }),
  layout: { name: 'mints_attempted', columns: { mint: 'account' } },
});

/** Those of some mints that somebody tried to trade. */
export async function readAttemptedMints(
  client: StoreClient,
  mints: readonly Address[],
  mark: number,
): Promise<ReadonlySet<Address | ''>> {
  if (mints.length === 0) return new Set();
  return new Set((await attempted(client, { mints: [...mints], mark })).map(({ mint }) => mint));
}
