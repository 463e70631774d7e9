import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineQuery } from '../../store/query.ts';

const newest = defineQuery({
  sql: new URL('./newest-block.sql', import.meta.url),
  params: Type.Object({ mark: Type.Integer() }),
  row: Type.Object({ time: Type.Integer() }),
});

/** Unix seconds of the newest block up to slot `mark`: what is now on the chain. Undefined without one. */
export async function readNewestTime(client: StoreClient, mark: number): Promise<number | undefined> {
  return (await newest(client, { mark }))[0]?.time;
}
