import type { Coverage } from '../coverage.ts';
import type { FactTableName } from '../schema/tables.ts';
import { readSqlFile } from '../sql-file.ts';

/**
 * A table made of facts of several blocks, which come in any order: what a late
 * block changes is folded again. A sweep goes through the slots that are whole
 * and remembers which; the table is at any time what its SELECT gives of those.
 */
export interface SweptTable {
  readonly name: string;
  /** Facts that its rows begin with. */
  readonly source: FactTableName;
  /** Query for the mints that the facts of some slots may change: `{first:UInt32}`, `{last:UInt32}`. */
  readonly touched: string;
  /** The rows of some mints; `$swept` and `$wanted` stand for conditions on slot and mint. */
  readonly select: string;
}

function swept(name: string, source: FactTableName): SweptTable {
  const read = (file: string) => readSqlFile(new URL(`./swept/${file}.sql`, import.meta.url)).trim();
  return { name, source, touched: read(`${name}-touched`), select: read(name) };
}

export const MEMPOOL_BUYERS_SWEEP: SweptTable = swept('mempool_buyers', 'attempts');
export const DEV_SALES_SWEEP: SweptTable = swept('dev_sales', 'swaps');
export const SWEPT_TABLES: readonly SweptTable[] = [MEMPOOL_BUYERS_SWEEP, DEV_SALES_SWEEP];

/** The table's SELECT over the facts of some slots and some mints. */
export function sweptSelect({ select }: SweptTable, slots: Coverage, wanted: string): string {
  const ranges = slots.map(({ first, last }) => `slot BETWEEN ${first} AND ${last}`);
  const condition = ranges.length === 0 ? 'false' : `(${ranges.join(' OR ')})`;
  return select.replaceAll('$swept', condition).replaceAll('$wanted', wanted);
}
