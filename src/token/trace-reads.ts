import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { UNKNOWN_DECIMALS } from '../store/clickhouse/schema/codes.ts';
import { defineRowQuery } from '../store/query.ts';
import type { TokenTraces } from './facts.ts';

const traces = defineRowQuery({
  sql: new URL('./mint-traces.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()), mark: Type.Integer() }),
  layout: {
    name: 'mint_traces',
    columns: { mint: 'account', attempted: 'bool', sent: 'bool', decimals: 'u8' },
  },
});

/** Traces of mints of which neither a creation nor a swap was seen; mints without any are left out. */
export async function readTraces(
  client: StoreClient,
  mints: readonly Address[],
  mark: number,
): Promise<ReadonlyMap<Address | '', TokenTraces>> {
  if (mints.length === 0) return new Map();
  const rows = await traces(client, { mints: [...mints], mark });
  return new Map(
    rows.map(({ mint, attempted, sent, decimals }) => [
      mint,
      { known: attempted || sent, decimals: decimals === UNKNOWN_DECIMALS ? undefined : decimals },
    ]),
  );
}
