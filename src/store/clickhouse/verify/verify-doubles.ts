import { readJson, type StoreClient } from '../client.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { BLOCKS, FACT_TABLES, POSITIONS } from '../schema/tables.ts';

/** Rows that are stored more than once, whatever table they are in. */
export interface DoubledSlots {
  /** Slots of which a row is there twice, each counted once. */
  readonly slots: number;
  /** At most `limit` of each table. */
  readonly rows: readonly DoubledRows[];
}

export interface DoubledRows {
  readonly table: string;
  readonly slot: number;
  /** Different rows of the slot that are there more than once. */
  readonly rows: number;
}

/** Finds facts that equal each other in every column: a block tells each of them once. */
export async function findDoubles(client: StoreClient, limit: number): Promise<DoubledSlots> {
  const doubles = FACT_TABLES.filter(isFact)
    .map((layout) => `(${doublesOf(layout)})`)
    .join('\nUNION ALL\n');
  const [total] = await readJson<{ slots: string }>(client, `SELECT uniqExact(slot) AS slots FROM (${doubles})`);
  if (total === undefined) throw new Error('a count without a row');
  if (Number(total.slots) === 0) return { slots: 0, rows: [] };
  const rows = await readJson<{ table: string; slot: number; rows: string }>(
    client,
    `SELECT table, slot, count() AS rows FROM (${doubles}) GROUP BY table, slot ORDER BY table, slot LIMIT ${limit} BY table`,
  );
  return { slots: Number(total.slots), rows: rows.map((row) => ({ ...row, rows: Number(row.rows) })) };
}

/** Positions are superseded and marks repeated: the same row twice is no fault there. */
function isFact({ name, columns }: TableLayout): boolean {
  return 'slot' in columns && 'time' in columns && name !== POSITIONS.name;
}

/** Columns that tables are sorted by, in that order: grouped by them first, only neighbours are in memory. */
const SORTED_BY = ['mint', 'wallet', 'slot', 'tip_wallet', 'block_index', 'ix_index'];

function doublesOf({ name, columns }: TableLayout): string {
  const keys = SORTED_BY.filter((column) => column in columns);
  // Rows that differ in `partial` alone are one fact: it says whether the block was whole.
  const values = Object.keys(columns).filter((column) => column !== 'partial');
  // Two versions of a block under one slot are one too many as well.
  const groups = name === BLOCKS.name ? ['slot'] : [...keys, `sipHash128(${values.join(', ')})`];
  return `SELECT '${name}' AS table, slot FROM ${name} GROUP BY ${groups.join(', ')} HAVING count() > 1
          SETTINGS optimize_aggregation_in_order = 1`;
}
