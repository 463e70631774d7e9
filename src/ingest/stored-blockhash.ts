import { readRows, type StoreClient } from '../store/clickhouse/client.ts';
import type { TableLayout } from '../store/clickhouse/schema/table-layout.ts';

const BLOCKHASHES = { name: 'blockhashes', columns: { blockhash: 'string' } } as const satisfies TableLayout;

/** The hash of the stored block of a slot, base58; undefined when the store has none, or not any more. */
export async function readStoredBlockhash(client: StoreClient, slot: number): Promise<string | undefined> {
  const query = 'SELECT blockhash FROM blocks WHERE slot = {slot:UInt32} LIMIT 1';
  const [row] = await readRows(client, BLOCKHASHES, query, { slot });
  return row?.blockhash;
}
