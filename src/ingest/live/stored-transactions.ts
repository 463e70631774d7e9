import { encodeSignature } from '../../chain/keys/base58.ts';
import { readRows, type StoreClient } from '../../store/clickhouse/client.ts';
import type { TableLayout } from '../../store/clickhouse/schema/table-layout.ts';
import { FACT_TABLES } from '../../store/clickhouse/schema/tables.ts';

const PLACES = {
  name: 'stored_transactions',
  columns: { signature: 'signature', block_index: 'u32' },
} as const satisfies TableLayout;
const TABLES_OF_TRANSACTIONS = FACT_TABLES.filter(({ columns }) => 'partial' in columns);

/**
 * Places of the single transactions of a slot that the store has facts of, by base58 signature. Their tables are ordered
 * by mint, so this reads two columns of each: for replays, not for the tip.
 */
export async function readStoredTransactions(client: StoreClient, slot: number): Promise<ReadonlyMap<string, number>> {
  const parts = TABLES_OF_TRANSACTIONS.map(
    ({ name }) => `SELECT signature, block_index FROM ${name} WHERE partial AND slot = {slot:UInt32}`,
  );
  const query = `SELECT DISTINCT signature, block_index FROM (${parts.join(' UNION ALL ')})`;
  const rows = await readRows(client, PLACES, query, { slot });
  return new Map(rows.map(({ signature, block_index }) => [encodeSignature(signature), block_index]));
}
