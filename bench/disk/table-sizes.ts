import { runStatement, type StoreClient } from '../../src/store/clickhouse/client.ts';

/** Size of a table on disk once its parts are merged. */
export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
  /** Compressed bytes by column, largest first. */
  readonly columns: Readonly<Record<string, number>>;
}

/** Merges each table into one part per partition, as time would, and measures it. */
export async function measureTables(
  client: StoreClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, TableSize>> {
  const sizes = new Map<string, TableSize>();
  for (const name of names) {
    // Small parts keep all columns in one file, which tells nothing of each.
    await runStatement(client, `ALTER TABLE ${name} MODIFY SETTING min_bytes_for_wide_part = 0`);
    await runStatement(client, `OPTIMIZE TABLE ${name} FINAL SETTINGS optimize_skip_merged_partitions = 0`);
    const parts = await read<{ rows: string; bytes: string }>(
      client,
      `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
       WHERE active AND database = currentDatabase() AND table = '${name}'`,
    );
    const columns = await read<{ column: string; bytes: string }>(
      client,
      `SELECT column, sum(column_data_compressed_bytes) AS bytes FROM system.parts_columns
       WHERE active AND database = currentDatabase() AND table = '${name}' GROUP BY column ORDER BY bytes DESC`,
    );
    sizes.set(name, {
      rows: Number(parts[0]?.rows),
      bytes: Number(parts[0]?.bytes),
      columns: Object.fromEntries(columns.map(({ column, bytes }) => [column, Number(bytes)])),
    });
  }
  return sizes;
}

async function read<R>(client: StoreClient, query: string): Promise<R[]> {
  const answer = await client.query({ query, format: 'JSONEachRow' });
  return answer.json<R>();
}
