import { Type } from 'typebox';
import { DECIDING_BLOCKS } from '../chain/newest-time.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineQuery, SHARED_READ_SECONDS } from '../store/query.ts';

/** When a block was made. */
export interface BlockTime {
  readonly slot: number;
  /** Unix seconds; 0 when it tells none. */
  readonly time: number;
}

const blockTimes = defineQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./block-times.sql', import.meta.url),
  params: Type.Object({ mark: Type.Integer(), limit: Type.Integer() }),
  row: Type.Object({ slot: Type.Integer(), time: Type.Integer() }),
});

/** The newest blocks up to a mark that tell their time, oldest first: those that decide what time it is, unless it says how many. */
export async function readBlockTimes(
  client: StoreClient,
  mark: number,
  limit = DECIDING_BLOCKS,
): Promise<readonly BlockTime[]> {
  const rows = await blockTimes(client, { mark, limit });
  return rows.reverse();
}
