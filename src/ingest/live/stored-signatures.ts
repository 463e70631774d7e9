import { encodeSignature } from '../../chain/keys/base58.ts';
import { readRows, type StoreClient } from '../../store/clickhouse/client.ts';
import type { TableLayout } from '../../store/clickhouse/schema/table-layout.ts';
import { FACT_TABLES } from '../../store/clickhouse/schema/tables.ts';

const SIGNATURES = { name: 'signatures', columns: { signature: 'signature' } } as const satisfies TableLayout;
const TABLES_OF_TRANSACTIONS = FACT_TABLES.filter(({ columns }) => 'partial' in columns);

/**
 * Signatures of the single transactions of a slot that the store has facts of,
 * base58. Their tables are ordered by mint, so this reads a column of each:
 * for replays, not for the tip.
 */
export async function readStoredSignatures(client: StoreClient, slot: number): Promise<ReadonlySet<string>> {
  const parts = TABLES_OF_TRANSACTIONS.map(
    ({ name }) => `SELECT signature FROM ${name} WHERE partial AND slot = {slot:UInt32}`,
  );
  const query = `SELECT DISTINCT signature FROM (${parts.join(' UNION ALL ')})`;
  const rows = await readRows(client, SIGNATURES, query, { slot });
  return new Set(rows.map(({ signature }) => encodeSignature(signature)));
}
