import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { readJson } from '../../src/store/clickhouse/client.ts';
import { DERIVED_TABLES } from '../../src/store/clickhouse/derived/derived-tables.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import { measureTables } from '../disk/table-sizes.ts';
import { rounded } from '../run/statistics.ts';

const DISK_BAR_BYTES = 230;
/** Bytes a swap below which a table is summed up with others. */
const LEAST_SHOWN = 0.05;
/** What ingest makes of swaps itself. */
const OF_SWAPS = ['swaps', 'positions', 'positions_by_trader'];

/**
 * Bytes on disk a swap of a store that nobody writes to any more, once its parts are merged: of each table, of those that
 * hold swaps and what is made of them alone, and of all tables. `swaps` is how many went in.
 */
export async function measureDisk(dataDir: string, swaps: number): Promise<Readonly<Record<string, unknown>>> {
  const store = await openStore({ url: undefined, dataDir, log: createLogger('error'), clock: systemClock });
  const { client } = store;
  try {
    const tables = await readJson<{ name: string }>(
      client,
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
    );
    const asLeft = await readJson<{ bytes: string }>(
      client,
      'SELECT toString(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = currentDatabase()',
    );
    const names = tables.map(({ name }) => name);
    const sizes = await measureTables(client, names);
    const stored = sizes.get('swaps')?.rows ?? 0;
    if (stored !== swaps) throw new Error(`${swaps} swaps were derived, and ${stored} are stored`);
    const ofSwaps = new Set([
      ...OF_SWAPS,
      ...DERIVED_TABLES.filter(({ source }) => source === 'swaps').map(({ name }) => name),
    ]);
    const each = names.map((name) => ({ name, bytes: (sizes.get(name)?.bytes ?? 0) / stored }));
    const sumOf = (some: typeof each) => some.reduce((sum, { bytes }) => sum + bytes, 0);
    const shown = each.filter(({ bytes }) => bytes >= LEAST_SHOWN).sort((a, b) => b.bytes - a.bytes);
    const shownOf = (isOfSwaps: boolean) =>
      Object.fromEntries(
        shown.filter(({ name }) => ofSwaps.has(name) === isOfSwaps).map(({ name, bytes }) => [name, rounded(bytes, 1)]),
      );
    return {
      disk_bytes_a_swap: rounded(sumOf(each.filter(({ name }) => ofSwaps.has(name))), 1),
      disk_bar_bytes: DISK_BAR_BYTES,
      disk_all_tables_bytes_a_swap: rounded(sumOf(each), 1),
      disk_as_left_bytes_a_swap: rounded(Number(asLeft[0]?.bytes ?? 0) / stored, 1),
      disk_of_swaps: shownOf(true),
      disk_of_others: shownOf(false),
      disk_swaps: stored,
    };
  } finally {
    await store.close();
  }
}
