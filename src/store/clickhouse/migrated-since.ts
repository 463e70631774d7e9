import { readJson, type StoreClient } from './client.ts';

/** A new store has had all of its migrations within so many seconds. */
const SAME_START_SECONDS = 600;

/**
 * Tells since when a store has a migration: Unix seconds, or 0 where it has had it since before its first fact, or not
 * at all. What facts tell only since a migration is missing in those that are older.
 */
export async function readMigratedSince(client: StoreClient, name: string): Promise<number> {
  const [row] = await readJson<{ since: number }>(
    client,
    `SELECT toUInt32(if(dateDiff('second', begun, applied) > {seconds:UInt32}, applied, toDateTime(0, 'UTC'))) AS since
     FROM (SELECT min(applied_at) AS begun, maxIf(applied_at, name = {name:String}) AS applied FROM migrations)`,
    { name, seconds: SAME_START_SECONDS },
  );
  return row?.since ?? 0;
}
