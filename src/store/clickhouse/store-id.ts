import { readJson, type StoreClient } from './client.ts';

/** A table that every store has, and that no migration may build anew. */
const LASTING_TABLE = 'migrations';

/** Of every table in a database of the engine `Ordinary`. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

/** The engine's own name of this store, which no other has: one that was restored from a backup has another. */
export async function readStoreId(client: StoreClient): Promise<string | undefined> {
  const [row] = await readJson<{ uuid: string }>(
    client,
    `SELECT toString(uuid) AS uuid FROM system.tables WHERE database = currentDatabase() AND name = '${LASTING_TABLE}'`,
  );
  return row?.uuid === NO_UUID ? undefined : row?.uuid;
}
