import { readRows, runStatement, type StoreClient } from '../client.ts';
import { MOVE_TABLES } from '../read/movements.ts';
import { readWholeSince } from '../retention.ts';
import { encodeRows } from '../schema/row-codec.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { readStale } from './stale-positions.ts';
import { FENCED_INSERT_SECONDS, insertFenced, type WriterFence } from './writer-fence.ts';

const SINCE = { name: 'holdings_since', columns: { since: 'time' } } as const satisfies TableLayout;
const COUNTS = { name: 'counts', columns: { rows: 'u64' } } as const satisfies TableLayout;

/**
 * Begins the holdings of a store, once. One that has movements from before the table marks their mints, where they
 * were ever traded, so that ingest folds in what is still there; and notes since when that is all there was. A kill
 * before the note has it done again.
 */
export async function beginHoldings(client: StoreClient, fence: WriterFence | undefined): Promise<void> {
  const [begun] = await readRows(client, COUNTS, 'SELECT count() AS rows FROM holdings_since');
  if ((begun?.rows ?? 0n) > 0n) return;
  const [swaps] = await readRows(client, COUNTS, 'SELECT count() AS rows FROM market_latest');
  const isNew = (swaps?.rows ?? 0n) === 0n;
  if (!isNew) await markMovedMints(client, fence);
  const wholeSince = await readWholeSince(client);
  const since = isNew ? 0 : Math.max(...MOVE_TABLES.map((table) => wholeSince.get(table) ?? 0));
  const { bytes } = encodeRows<typeof SINCE>(SINCE, [{ since }]);
  await insertFenced(client, { table: SINCE.name, layout: SINCE, columns: ['since'], bytes, token: undefined }, fence);
}

/** Within the server: a store may have a million of them. */
async function markMovedMints(client: StoreClient, fence: WriterFence | undefined): Promise<void> {
  const { newestMark } = await readStale(client);
  const moved = [...MOVE_TABLES, 'pools'].map((table) => `SELECT mint, slot FROM ${table}`).join(' UNION ALL ');
  const insert = `INSERT INTO stale_positions (mint, done, mark, slot)
    SELECT mint, false, toUInt32(${newestMark} + rowNumberInAllBlocks() + 1), slot FROM (
      SELECT mint, min(slot) AS slot FROM (${moved})
      WHERE mint IN (SELECT mint FROM market_latest) GROUP BY mint
    )`;
  const settings = { insert_deduplicate: 0 as const };
  if (fence === undefined) return runStatement(client, insert, settings);
  await fence.within((clause) =>
    runStatement(client, `${insert} ${clause}`, { ...settings, max_execution_time: FENCED_INSERT_SECONDS }),
  );
}
